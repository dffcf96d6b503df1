import { replyMessage, replyText, type Reply } from '../direct/reply.ts';
import { SEND_TEXT, type WireTransport } from './wire-transport.ts';

/** What the server of one era sends over a connection that both eras share. */
export class EraChannel {
  readonly #wire: WireTransport;
  readonly #onSend: (message: unknown) => void;
  #isClosed = false;

  /** @param onSend told of what the server sends, before it is sent */
  constructor(wire: WireTransport, onSend: (message: unknown) => void) {
    this.#wire = wire;
    this.#onSend = onSend;
  }

  get sessionId(): string | undefined {
    return this.#wire.sessionId;
  }

  async send(message: unknown, options?: unknown): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed');
    this.#onSend(message);
    await this.#wire.send(message, options);
  }

  /** Sends the answer to a request. */
  reply(reply: Reply, id: string | number, report: (error: Error) => void): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection is closed'));
    this.#onSend({ id });
    return (
      this.#wire[SEND_TEXT]?.(replyText(reply, id, report), id) ?? this.#sendObject(replyMessage(reply, id))
    );
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** Transports of others may throw at once, or give no promise. */
  async #sendObject(message: object): Promise<void> {
    await this.#wire.send(message);
  }
}
