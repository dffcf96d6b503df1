import { replyMessage, replyText, type Reply } from '../direct/reply.ts';
import { SEND_TEXT, type WireTransport } from './wire-transport.ts';

/** The transport that the server of one era sees: its share of a connection that somebody else owns. */
export class EraChannel implements WireTransport {
  onmessage?: (message: unknown, extra?: unknown) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly #wire: WireTransport;
  readonly #onSend: (message: unknown) => void;
  #waiting: Parameters<NonNullable<WireTransport['onmessage']>>[] | undefined = [];
  #isClosed = false;

  /** @param onSend told of what the server sends, before it is sent */
  constructor(wire: WireTransport, onSend: (message: unknown) => void) {
    this.#wire = wire;
    this.#onSend = onSend;
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  /** The connection runs already. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: unknown, options?: unknown): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed');
    this.#onSend(message);
    await this.#wire.send(message, options);
  }

  /** Sends an answer that no server of an SDK made. */
  reply(reply: Reply, id: string | number, report: (error: Error) => void): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection is closed'));
    this.#onSend({ id });
    return (
      this.#wire[SEND_TEXT]?.(replyText(reply, id, report), id) ?? this.#sendObject(replyMessage(reply, id))
    );
  }

  /** Transports of others may throw at once, or give no promise. */
  async #sendObject(message: object): Promise<void> {
    await this.#wire.send(message);
  }

  /** Ends this share only. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#waiting = undefined;
    this.onclose?.();
    return Promise.resolve();
  }

  /** Keeps the message until there is a server. */
  deliver(message: unknown, extra: unknown): void {
    if (this.#waiting === undefined) this.onmessage?.(message, extra);
    else this.#waiting.push([message, extra]);
  }

  /** The server is connected. */
  release(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    // It was closed while the server was made, which could not hear of it then.
    if (this.#isClosed) this.onclose?.();
    else for (const [message, extra] of waiting) this.onmessage?.(message, extra);
  }

  /** There will be no server; gives what waited for it. */
  abandon(): readonly unknown[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    this.#isClosed = true;
    return waiting.map(([message]) => message);
  }
}
