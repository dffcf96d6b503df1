import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const FATAL = {
  ...{ S: 'FATAL', V: 'FATAL', C: '57P01' },
  M: 'terminating connection due to administrator command',
};
const FIELDS = Object.entries(FATAL).map(([field, text]) => `${field}${text}\0`);

/** What a server sends that ends a connection in the moment in which it is open, all of it at once. */
const OPENED_AND_TERMINATED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from(`${FIELDS.join('')}\0`)),
]);

/** A PostgreSQL that terminates each connection in the packet that says that it is open. */
export class TerminatingPostgres implements AsyncDisposable {
  /** How many connections there were. */
  connections = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(OPENED_AND_TERMINATED));
    });
  }

  static async start(): Promise<TerminatingPostgres> {
    const started = new TerminatingPostgres();
    await once(started.#server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get url(): string {
    return `postgres://anyone@127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/any`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}
