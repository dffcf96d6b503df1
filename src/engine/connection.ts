import type { SurfaceChange } from '../call/notifier.ts';
import type { ProtocolEra } from '../shared/protocol-era.ts';
import {
  replyMessage,
  replyText,
  type Reply,
  cancelledId,
  isRequest,
  isProtocolMessage,
} from './json-rpc/message.ts';
import { eraOfMessage } from './era-of-message.ts';
import { SEND_TEXT, type WireTransport } from './wire-transport.ts';
import { refuseMessage } from './json-rpc/refuse-message.ts';
import { ID_IS_TAKEN, jsonRpcCodes } from './json-rpc/json-rpc-error.ts';
import type { ServerSurface } from './server-surface.ts';
import { Connection2025, type ConnectionWire } from './revisions/2025/connection-2025.ts';
import { Connection2026 } from './revisions/2026-07-28/connection-2026.ts';
import { originOf } from './transport-extra.ts';

/**
 * Serves whoever is at the other end of a transport, each message in its era. Clients speak one era each, but a client
 * finds out which one by asking in both, and a proxy may carry several clients.
 */
export class Connection implements ConnectionWire {
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
  readonly #surface: ServerSurface;
  readonly #wire: WireTransport;
  readonly #maximumCalls: number;
  /** Made for the first message of their era: a client hears nothing of the other one. */
  #connection2025: Connection2025 | undefined;
  #connection2026: Connection2026 | undefined;
  /** Which era answers which request. */
  readonly #running = new Map<unknown, ProtocolEra>();
  #isClosing = false;
  /** Nothing more is said by those who serve. */
  #isSilent = false;
  #resolveClosed: () => void = () => undefined;

  constructor(surface: ServerSurface, wire: WireTransport, maximumCalls: number) {
    this.#surface = surface;
    this.#wire = wire;
    this.#maximumCalls = maximumCalls;
    const { onmessage, onerror, onclose } = wire;
    // Whoever made the transport may listen as well.
    wire.onmessage = (message, extra) => {
      onmessage?.call(wire, message, extra);
      this.#receive(message, extra);
    };
    wire.onerror = (error) => {
      onerror?.call(wire, error);
      this.#report(error);
    };
    this.closed = new Promise((resolve) => {
      wire.onclose = () => {
        onclose?.call(wire);
        this.#end();
      };
      this.#resolveClosed = resolve;
    });
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  notify(change: SurfaceChange): void {
    this.#connection2025?.notify(change);
    this.#connection2026?.notify(change);
  }

  /** Ends what stands open, says of what still runs that it will have no answer, and then ends the connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    try {
      await this.#connection2026?.close();
      this.#isSilent = true;
      for (const id of [...this.#running.keys()]) {
        this.#refuse(id, jsonRpcCodes.serverError, 'The server is shutting down');
      }
    } finally {
      await this.#wire.close().finally(() => {
        this.#end();
      });
    }
  }

  async send(message: object, relatedRequestId?: string | number): Promise<void> {
    if (this.#isSilent) throw new Error('The connection is closed');
    await this.#wire.send(message, relatedRequestId === undefined ? undefined : { relatedRequestId });
  }

  reply(reply: Reply, id: string | number): Promise<void> {
    if (this.#isSilent) return Promise.reject(new Error('The connection is closed'));
    this.#running.delete(id);
    return (
      this.#wire[SEND_TEXT]?.(replyText(reply, id, this.#report), id) ??
      this.#sendObject(replyMessage(reply, id))
    );
  }

  /** Transports of others may throw at once, or give no promise. */
  async #sendObject(message: object): Promise<void> {
    await this.#wire.send(message);
  }

  #receive(message: unknown, extra: unknown): void {
    if (this.#isClosing) return;
    // A transport of somebody else checks nothing.
    if (!isProtocolMessage(message)) {
      this.#report(new Error(refuseMessage(message).failure.message));
      return;
    }
    const cancelled = cancelledId(message);
    const era = this.#running.get(cancelled) ?? eraOfMessage(message);
    if (cancelled !== undefined) this.#running.delete(cancelled);
    if (isRequest(message)) {
      const refusal = this.#refusalOf(message.id);
      if (refusal !== undefined) {
        this.#sendObject(refusal).catch(this.#report);
        return;
      }
      this.#running.set(message.id, era);
    }
    try {
      this.#serverOf(era).receive(message, originOf(extra));
    } catch (error) {
      // Nobody hears what is thrown where a message arrives.
      this.#report(error as Error);
      if (isRequest(message))
        this.#refuse(message.id, jsonRpcCodes.internalError, 'The request could not be read');
    }
  }

  #refusalOf(id: unknown): object | undefined {
    // Two answers with one id would be no answers at all.
    if (this.#running.has(id)) return errorMessage(id, jsonRpcCodes.invalidRequest, ID_IS_TAKEN);
    if (this.#running.size < this.#maximumCalls) return undefined;
    const limit = `This connection runs its limit of ${String(this.#maximumCalls)} requests`;
    return errorMessage(id, jsonRpcCodes.serverError, `${limit}; wait for an answer and try again`);
  }

  #serverOf(era: ProtocolEra): Connection2025 | Connection2026 {
    const { sessionId } = this.#wire;
    if (era === '2026') return (this.#connection2026 ??= new Connection2026(this.#surface, this, sessionId));
    const options = { sessionId, canAsk: true, canLog: true, isLasting: true };
    return (this.#connection2025 ??= new Connection2025(this.#surface, this, options));
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#running.delete(id);
    this.#sendObject(errorMessage(id, code, message)).catch(this.#report);
  }

  /** Has ended also when its transport fails to say so. */
  #end(): void {
    this.#isClosing = this.#isSilent = true;
    this.#connection2025?.end();
    this.#connection2026?.end();
    this.#resolveClosed();
  }

  readonly #report = (cause: Error): void => {
    this.#surface.logger.log({ level: 'debug', event: 'protocol.error', message: cause.message, cause });
  };
}

function errorMessage(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/**
 * Serves the application over one connection, to clients of both eras.
 * @param maximumCalls how many requests of it may run at the same time; one more is refused
 */
export async function openConnection(
  surface: ServerSurface,
  wire: WireTransport,
  maximumCalls = 1000,
): Promise<Connection> {
  const connection = new Connection(surface, wire, maximumCalls);
  await connection.start();
  return connection;
}
