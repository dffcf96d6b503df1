import { ByteCollector } from './byte-collector.ts';

const NEWLINE = 0x0a;

/** One line without its end, or the mark that a line was longer than allowed and is lost. */
export type Line = { readonly bytes: Uint8Array } | 'too-long';

/** Cuts a byte stream into lines; a line over the limit costs no memory and only itself. */
export class LineReader {
  readonly #line: ByteCollector;

  constructor(limit: number) {
    this.#line = new ByteCollector(limit);
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#line.add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    this.#line.add(chunk.subarray(start));
    return lines;
  }

  /** What stands behind the last newline. */
  end(): readonly Line[] {
    return this.#line.size === 0 ? [] : [this.#take()];
  }

  #take(): Line {
    const { isTooLarge } = this.#line;
    const bytes = this.#line.take();
    return isTooLarge ? 'too-long' : { bytes };
  }
}
