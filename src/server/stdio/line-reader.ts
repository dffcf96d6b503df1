const NEWLINE = 0x0a;

/** One line without its end, or the mark that a line was longer than allowed and is lost. */
export type Line = { readonly bytes: Uint8Array } | 'too-long';

/** Cuts a byte stream into lines; a line over the limit costs no memory and only itself. */
export class LineReader {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
    return lines;
  }

  /** What stands behind the last newline. */
  end(): readonly Line[] {
    return this.#size === 0 ? [] : [this.#take()];
  }

  #append(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** A line that came in one piece is not copied. */
  #whole(): Uint8Array {
    const [first] = this.#parts;
    return first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts);
  }

  #take(): Line {
    const line: Line = this.#size > this.#limit ? 'too-long' : { bytes: this.#whole() };
    this.#parts = [];
    this.#size = 0;
    return line;
  }
}
