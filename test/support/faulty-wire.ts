import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

/**
 * What becomes of the answers of a store: they come late, not at all, in halves or as noise; a connection breaks in the
 * middle of a command or an answer; or an answer says that it is long, and goes on and on.
 */
export const WIRE_FAULTS = ['slow', 'hang', 'half', 'cut', 'garbage', 'oversized'] as const;
export type WireFault = (typeof WIRE_FAULTS)[number];

/** Milliseconds by which an answer is late at most. Commands may take a second. */
const LATEST = 1500;
/** Bytes of an answer that is too long, and how many it promises. */
const OVERSIZED = 64 * 1024 * 1024;
const PROMISED = 400_000_000;

/** A TCP proxy before a store, whose wire can be made faulty. Commands arrive, unless they are cut. */
export class FaultyWire implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #chance: number;
  #fault: WireFault | undefined;
  #over: Promise<void> = Promise.resolve();

  private constructor(url: string, server: Server, chance: number) {
    this.url = url;
    this.#server = server;
    this.#chance = chance;
  }

  /**
   * @param store its URL
   * @param chance of what is sent that it is cut, noise or too long
   */
  static async start(store: string, chance = 0.1): Promise<FaultyWire> {
    const url = new URL(store);
    const target = targetIn(url);
    const server = createServer((socket) => wire.#join(socket, connect(target)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const wire = new FaultyWire(url.href, server, chance);
    return wire;
  }

  /** All connections have the fault for some milliseconds. */
  async break(fault: WireFault, milliseconds: number): Promise<void> {
    this.#fault = fault;
    this.#over = after(milliseconds);
    await this.#over;
    this.#fault = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(client: Socket, store: Socket): void {
    for (const [socket, other] of [
      [client, store],
      [store, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (sent: Buffer) => {
      const isCut = this.#fault === 'cut' && this.#happens();
      store.write(isCut ? firstHalf(sent) : sent);
      if (isCut) client.destroy();
    });
    // One answer after the other
    let turn = Promise.resolve();
    store.on('data', (answer: Buffer) => {
      turn = turn.then(() => this.#answer(client, answer));
    });
  }

  async #answer(client: Socket, answer: Buffer): Promise<void> {
    switch (this.#fault) {
      case undefined:
        client.write(answer);
        return;
      case 'slow':
        await after(Math.random() * LATEST);
        client.write(answer);
        return;
      case 'hang':
        await this.#over;
        client.write(answer);
        return;
      case 'half':
        client.write(firstHalf(answer));
        await this.#over;
        client.write(answer.subarray(firstHalf(answer).length));
        return;
      case 'cut':
        if (this.#happens()) client.end(firstHalf(answer));
        else client.write(answer);
        return;
      case 'garbage':
        client.write(this.#happens() ? noise(answer.length) : answer);
        return;
      case 'oversized':
        client.write(this.#happens() ? oversized(this.url) : answer);
    }
  }

  #happens(): boolean {
    return Math.random() < this.#chance;
  }
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

/** It begins with what begins no answer of a store. */
function noise(length: number): Buffer {
  return Buffer.concat([Buffer.of(255), randomBytes(length)]);
}

/** Where a store is; for the wire, the URL loses its socket. */
function targetIn(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host');
  url.searchParams.delete('host');
  if (folder === null) return { host: url.hostname, port: Number(url.port) };
  return { path: `${folder}/.s.PGSQL.5432` };
}

/** A bulk string of Redis, a row of PostgreSQL. */
function oversized(url: string): Buffer {
  const head = url.startsWith('redis') ? Buffer.from(`$${String(PROMISED)}\r\n`) : Buffer.from('D....');
  if (!url.startsWith('redis')) head.writeInt32BE(PROMISED, 1);
  return Buffer.concat([head, Buffer.alloc(OVERSIZED, 'x')]);
}
