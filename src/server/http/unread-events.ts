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

  /** Makes room for one that has grown: for itself, as long as it is alone, there always is. */
  grow(member: Unread): void {
    this.#members.add(member);
    let total = 0;
    for (const { size } of this.#members) total += size;
    while (total > this.#limit) {
      const largest = this.#largestBut(member);
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

  #largestBut(spared: Unread): Unread | undefined {
    let largest: Unread | undefined;
    for (const member of this.#members) {
      if (member !== spared && member.size > (largest?.size ?? 0)) largest = member;
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
    this.#total += chunk.length;
    if (this.#total > NOTABLE && this.#cut !== undefined) this.#backlog?.grow(this);
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
