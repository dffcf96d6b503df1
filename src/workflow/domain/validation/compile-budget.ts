import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';

/** Something that takes time to compile. */
export interface Expense {
  /** Equal for equal things. */
  readonly key: string;
  /** In instructions of regular expressions. */
  readonly cost: number;
  readonly path: string;
}

// A second, or little more: some thousands of regular expressions, or some hundred schemas.
const MOST_INSTRUCTIONS = 300_000;

/** What may be compiled for one document, or for the criteria of one step. */
export class CompileBudget {
  readonly #done = new Set<string>();
  #left = MOST_INSTRUCTIONS;

  /**
   * Does the work unless it costs more than is left. What succeeded before costs nothing more.
   * @throws InvalidCriteriaError at the path
   */
  spend<Result>({ key, cost, path }: Expense, work: () => Result): Result {
    if (!this.#done.has(key)) this.#take(cost, path);
    const result = work();
    this.#done.add(key);
    return result;
  }

  #take(cost: number, path: string): void {
    if (cost > this.#left) {
      throw new InvalidCriteriaError(
        path,
        'the regular expressions and schemas up to here are too large together; use fewer and smaller ones.',
      );
    }
    this.#left -= cost;
  }
}
