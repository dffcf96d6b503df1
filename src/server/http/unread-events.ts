/** In bytes; what a client leaves unread beyond that is not kept for it. */
const LIMIT = 1024 * 1024;

/** What was sent on an event stream and its client has not taken yet. */
export class UnreadEvents {
  #total = 0;

  get isFull(): boolean {
    return this.#total >= LIMIT;
  }

  add(chunk: Uint8Array): void {
    this.#total += chunk.length;
  }

  take(chunk: Uint8Array): void {
    this.#total -= chunk.length;
  }
}
