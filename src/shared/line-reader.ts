import { ByteCollector } from './byte-collector.ts';

const NEWLINE = 0x0a;

/** One line without its end, or the mark that a line was longer than allowed and is lost. */
export type Line = { readonly bytes: Uint8Array } | 'too-long';

/** Splits a byte stream into lines. A line over the limit is dropped without being kept in memory. */
export class LineReader {
  readonly #limit: number;
  /** The line that has no end yet. */
  readonly #open: ByteCollector;
  #isOpen = false;

  constructor(limit: number) {
    this.#limit = limit;
    this.#open = new ByteCollector(limit);
  }

  /** Whether the line that has no end yet is longer than allowed. */
  get isTooLong(): boolean {
    return this.#open.isTooLarge;
  }

  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      lines.push(this.#complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
    return lines;
  }

  /** What stands behind the last newline. */
  end(): readonly Line[] {
    return this.#isOpen ? [this.#take()] : [];
  }

  /** Most lines come in one piece. */
  #complete(piece: Uint8Array): Line {
    if (!this.#isOpen) return piece.length > this.#limit ? 'too-long' : { bytes: piece };
    this.#keep(piece);
    return this.#take();
  }

  #keep(piece: Uint8Array): void {
    this.#isOpen = true;
    this.#open.add(piece);
  }

  #take(): Line {
    this.#isOpen = false;
    const { isTooLarge } = this.#open;
    const bytes = this.#open.take();
    return isTooLarge ? 'too-long' : { bytes };
  }
}

/** A readable stream of Node by its shape: types that name `node:stream` would ask every user for `@types/node`. */
export interface InputStream {
  /** Whether the stream can still be read. */
  readonly readable: boolean;
  /** Stops the stream for a while. */
  pause(): unknown;
  /** Lets the stream go on. */
  resume(): unknown;
}

/** A writable stream of Node by its shape, as {@link InputStream}. */
export interface OutputStream {
  /** Whether the stream can still be written to. */
  readonly writable: boolean;
  /** Writes a text; false asks to wait for `drain`. */
  write(text: string): boolean;
  /** Ends the stream. */
  end(): unknown;
}
