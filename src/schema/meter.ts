/** Thrown through generated code; it never leaves a validator. */
class OutOfSteps extends Error {}

const MAXIMUM = 3_000_000;

/**
 * Counts the steps of a check. A schema of a few lines can ask for 2^50 of them: two references to a definition
 * with two references, and so on, or a union that meets itself twice on every level of the value.
 */
export class Meter {
  readonly #maximum: number;
  #left: number;

  /** @param maximum `Infinity` where a schema comes from who serves it, and only what it is asked may be large */
  constructor(maximum = MAXIMUM) {
    this.#maximum = maximum;
    this.#left = maximum;
  }

  restart(): void {
    this.#left = this.#maximum;
  }

  /** Errors count as well: generated code copies the list of them, and the list itself fills the memory. */
  take(steps: number, errors = 0): void {
    this.#left -= steps + errors;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** What a check ran into that ended early; undefined for a failure that is no matter of limits. */
export function reachedLimit(failure: unknown): 'steps' | 'depth' | undefined {
  if (failure instanceof OutOfSteps) return 'steps';
  // By name: a stack overflow may bring the RangeError of another realm
  return failure instanceof Error && failure.name === 'RangeError' ? 'depth' : undefined;
}
