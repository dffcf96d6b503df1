/** In bytes; a stream with more unread than this is ended. */
const LIMIT = 1024 * 1024;
/** In bytes; less than this is normal network delay and does not count. */
export const NOTABLE = 64 * 1024;

/** A stream with bytes that its client has not read yet. */
export interface BackloggedStream {
  /** In bytes. */
  readonly size: number;
  /** Ends the stream and frees its bytes. */
  cut(): void;
}

/** The error of a stream that was cut on purpose; it is not reported. */
export class StreamCut extends Error {}

/** The unread bytes of all answers together. Above a limit, the streams with the most are cut. */
export class Backlog {
  readonly #limit: number;
  readonly #onCut: () => void;
  readonly #members = new Set<BackloggedStream>();

  constructor(limit: number, onCut: () => void) {
    this.#limit = limit;
    this.#onCut = onCut;
  }

  /**
   * Makes room for a stream that has grown. Its new bytes do not count, because its client had no time to read them; a
   * client that reads everything may get an answer of any size.
   * @param before its unread bytes before it grew
   */
  grow(member: BackloggedStream, before = 0): void {
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

  leave(member: BackloggedStream): void {
    this.#members.delete(member);
  }

  #largest(grown: BackloggedStream, before: number): BackloggedStream | undefined {
    let largest: BackloggedStream | undefined;
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

/** Counts the bytes that were sent on an event stream and not yet read. */
export class BackpressureCounter implements BackloggedStream {
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

  /** Sets how the stream is cut; from now on its bytes count towards the limit. */
  begin(cut: () => void): void {
    this.#cut = cut;
    if (this.#total > NOTABLE) this.#backlog?.grow(this);
  }

  cut(): void {
    this.#cut?.();
  }

  /** Ends the count; the rest will not be read. */
  end(): void {
    this.#cut = undefined;
    this.#isOver = true;
    this.#total = 0;
    this.#backlog?.leave(this);
  }
}
