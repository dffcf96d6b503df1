import type { ValidationResult } from './schema-validator.ts';

/** Thrown through generated code; it never leaves the validator. */
class OutOfSteps extends Error {}

const MAXIMUM = 3_000_000;

/**
 * Counts the steps of a check. A schema of a few lines can ask for 2^50 of them: two references to a definition
 * with two references, and so on, or a union that meets itself twice on every level of the value.
 */
export class Meter {
  #left = MAXIMUM;

  restart(): void {
    this.#left = MAXIMUM;
  }

  /** Errors count as well: generated code copies the list of them, and the list itself fills the memory. */
  take(steps: number, errors = 0): void {
    this.#left -= steps + errors;
    if (this.#left < 0) throw new OutOfSteps();
  }
}

/** The result of a check that ended early; undefined for a failure that is no matter of limits. */
export function limitResult(failure: unknown): ValidationResult | undefined {
  if (failure instanceof OutOfSteps) return exceeded('steps', 'takes too many steps to be checked');
  // By name: a stack overflow may bring the RangeError of another realm
  if (failure instanceof Error && failure.name === 'RangeError') {
    return exceeded('depth', 'is nested too deep to be checked');
  }
  return undefined;
}

function exceeded(limit: string, message: string): ValidationResult {
  return { valid: false, errors: [{ path: '', keyword: 'limit', message, params: { limit } }] };
}
