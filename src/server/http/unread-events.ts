/** In characters; what a client leaves unread beyond that is not kept for it. */
const LIMIT = 1024 * 1024;
const COLON = 0x3a;

/** What was sent on an event stream and its client has not taken yet. */
export class UnreadEvents {
  /** Whether something was left out because of that. */
  hasDropped = false;
  #sizes: number[] = [];
  #total = 0;

  get isFull(): boolean {
    return this.#total >= LIMIT;
  }

  add(size: number): void {
    this.#sizes.push(size);
    this.#total += size;
  }

  /** Every event is a chunk of its own; comments, which keep a stream open, were never added. */
  take(chunk: Uint8Array): void {
    if (chunk[0] !== COLON) this.#total -= this.#sizes.shift() ?? 0;
  }
}
