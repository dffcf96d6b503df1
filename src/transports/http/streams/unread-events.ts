/** In bytes; what a client leaves unread beyond that is not kept for it. */
const LIMIT = 1024 * 1024;
/** In bytes: what is less is on its way, as with every client. */
export const NOTABLE = 64 * 1024;

/** What somebody has not read yet. */
export interface Unread {
  /** In bytes. */
  readonly size: number;
  /** Ends it, whoever still waits, and frees its bytes. */
  cut(): void;
}

/** The error of a stream that was given up, which is nothing to report. */
export class StreamCut extends Error {}

/** What clients leave unread of all answers together. Beyond a bound, the largest are cut. */
export class Backlog {
  readonly #limit: number;
  readonly #onCut: () => void;
  readonly #members = new Set<Unread>();

  constructor(limit: number, onCut: () => void) {
    this.#limit = limit;
    this.#onCut = onCut;
  }

  /**
   * Makes room for one that has grown. What it has grown by counts last: nobody had time to read that, and somebody who
   * reads nothing else may have it, however large it is.
   * @param before in bytes: what it had that was not read
   */
  grow(member: Unread, before = 0): void {
    this.#members.add(member);
    let total = 0;
    for (const { size } of this.#members) total += size;
    while (total > this.#limit) {
      const largest = this.#largest(member, before);
      if (largest === undefined) return;
      total -= largest.size;
      this.#members.delete(largest);
      largest.cut();
      this.#onCut();
    }
  }

  leave(member: Unread): void {
    this.#members.delete(member);
  }

  #largest(grown: Unread, before: number): Unread | undefined {
    let largest: Unread | undefined;
    let most = 0;
    for (const member of this.#members) {
      const size = member === grown ? before : member.size;
      if (size <= most) continue;
      largest = member;
      most = size;
    }
    return largest;
  }
}

/** What was sent on an event stream and its client has not taken yet. */
export class UnreadEvents implements Unread {
  readonly #backlog: Backlog | undefined;
  #cut: (() => void) | undefined;
  #total = 0;
  #isOver = false;

  constructor(backlog?: Backlog) {
    this.#backlog = backlog;
  }

  get size(): number {
    return this.#total;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isFull(): boolean {
    return this.#total >= LIMIT;
  }

  add(chunk: Uint8Array): void {
    const before = this.#total;
    this.#total += chunk.length;
    if (this.#total > NOTABLE && this.#cut !== undefined) {
      this.#backlog?.grow(this, before > NOTABLE ? before : 0);
    }
  }

  take(chunk: Uint8Array): void {
    const before = this.#total;
    this.#total -= chunk.length;
    if (before > NOTABLE && this.#total <= NOTABLE) this.#backlog?.leave(this);
  }

  /** Says how the stream is cut; from now on its bytes count among those of all. */
  begin(cut: () => void): void {
    this.#cut = cut;
    if (this.#total > NOTABLE) this.#backlog?.grow(this);
  }

  cut(): void {
    this.#cut?.();
  }

  /** Nobody will read any more of it. */
  end(): void {
    this.#cut = undefined;
    this.#isOver = true;
    this.#total = 0;
    this.#backlog?.leave(this);
  }
}
