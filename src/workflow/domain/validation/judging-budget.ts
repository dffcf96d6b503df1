// Instructions, each on one character: a fraction of a second of ordinary patterns, some seconds of the worst.
const MOST_INSTRUCTIONS = 250_000_000;

/** What may be searched for in one output; it is as long for every regular expression. */
export class JudgingBudget {
  readonly #length: number;
  #spent = 0;
  #wanted = 0;

  constructor(length: number) {
    this.#length = length;
  }

  /**
   * Pays for one search of the output, if enough is left.
   * @param size - the instructions that every character may cost
   * @returns undefined when it is paid, else how long the output may be for all searches up to this one
   */
  spend(size: number): number | undefined {
    this.#wanted += size;
    if ((this.#spent + size) * this.#length > MOST_INSTRUCTIONS) {
      return Math.floor(MOST_INSTRUCTIONS / this.#wanted);
    }
    this.#spent += size;
    return undefined;
  }
}
