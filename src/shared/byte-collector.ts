/** The first place to copy to, in bytes. */
const SMALLEST = 1024;

/** So many pieces may be of any size. */
const MAX_SMALL_PIECES = 2000;
/** In bytes. More pieces than that have to have this size in the mean. */
const SMALL_PIECE = 16;

/**
 * Collects bytes that come in chunks, up to a limit. They are copied into one growing place: a chunk of a single byte
 * would take two hundred if it were kept as it came, and the sender decides how many there are.
 */
export class ByteCollector {
  readonly #limit: number;
  /** What comes in one piece is not copied. */
  #only: Uint8Array | undefined;
  #place: Uint8Array | undefined;
  #size = 0;
  #pieces = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many bytes came, those beyond the limit among them. */
  get size(): number {
    return this.#size;
  }

  get isTooLarge(): boolean {
    return this.#size > this.#limit;
  }

  /**
   * True when the bytes come in so many small pieces that only an attacker sends them so: Node calls back for each one,
   * and 20 connections that send single bytes would delay all others by more than a second.
   */
  get isScattered(): boolean {
    return this.#pieces > MAX_SMALL_PIECES && this.#size < this.#pieces * SMALL_PIECE;
  }

  /** False when there are more than allowed; none of them is kept then. */
  add(chunk: Uint8Array): boolean {
    const before = this.#size;
    this.#size += chunk.length;
    this.#pieces += 1;
    if (this.isTooLarge) this.#only = this.#place = undefined;
    else if (before === 0) this.#only = chunk;
    else this.#copy(chunk, before);
    return !this.isTooLarge;
  }

  /** All bytes so far; empty when there were too many. The collector then starts again. */
  take(): Uint8Array {
    const bytes = this.#only ?? this.#place?.subarray(0, this.#size) ?? new Uint8Array(0);
    this.#only = this.#place = undefined;
    this.#size = this.#pieces = 0;
    return bytes;
  }

  #copy(chunk: Uint8Array, before: number): void {
    const first = this.#only;
    this.#only = undefined;
    if (this.#place === undefined || this.#place.length < this.#size) this.#grow(before);
    if (first !== undefined) this.#place?.set(first);
    this.#place?.set(chunk, before);
  }

  #grow(before: number): void {
    const larger = new Uint8Array(Math.min(Math.max(2 * this.#size, SMALLEST), this.#limit));
    if (this.#place !== undefined) larger.set(this.#place.subarray(0, before));
    this.#place = larger;
  }
}
