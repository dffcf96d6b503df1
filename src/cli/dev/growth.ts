const MOST_SWAPS = 1000;
const MOST_BYTES = 256 * 1024 * 1024;

/** Modules that were replaced are never collected, so that a very long session wants to be started again. */
export class Growth {
  readonly #before = process.memoryUsage().heapUsed;
  #isSaid = false;

  /** What to say after a swap; once, and mostly nothing. */
  advice(swaps: number): string | undefined {
    const grown = process.memoryUsage().heapUsed - this.#before;
    if (this.#isSaid || (swaps < MOST_SWAPS && grown < MOST_BYTES)) return undefined;
    this.#isSaid = true;
    const size = (grown / 1024 / 1024).toFixed(0);
    return `${String(swaps)} swaps took ${size} MB, which only a new process gives back. Start again (r) when it suits you; clients then lose their sessions.`;
  }
}
