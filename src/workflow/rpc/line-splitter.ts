const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 4096;

/** One line without its end, or the mark that a line was longer than allowed and is lost. */
export type Line = { readonly bytes: Uint8Array } | 'too-long';

/** Cuts bytes into lines. It never holds more than one line of the allowed length, in whatever pieces they come. */
export class LineSplitter {
  readonly #limit: number;
  #buffer = Buffer.alloc(FIRST_CAPACITY);
  #size = 0;

  /** @param limit the longest line, in bytes, without its end */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that these bytes complete. */
  *push(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      start = end + 1;
      yield this.#take();
    }
    this.#append(chunk.subarray(start));
  }

  /** What stands behind the last newline. */
  *end(): Generator<Line> {
    if (this.#size > 0) yield this.#take();
  }

  #append(part: Uint8Array): void {
    const size = this.#size + part.length;
    // One more is kept, as it may be the carriage return of a CRLF.
    if (size <= this.#limit + 1) {
      this.#reserve(size);
      this.#buffer.set(part, this.#size);
    }
    this.#size = size;
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.min(Math.max(size, 2 * this.#buffer.length), this.#limit + 1));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }

  #take(): Line {
    const size = this.#size;
    this.#size = 0;
    if (size > this.#limit + 1) return 'too-long';
    const length = this.#buffer[size - 1] === CARRIAGE_RETURN && size > 0 ? size - 1 : size;
    return length > this.#limit ? 'too-long' : { bytes: Uint8Array.from(this.#buffer.subarray(0, length)) };
  }
}
