import { hasBrand } from '../shared/has-brand.ts';

const BRAND = Symbol.for('toolwright:suspension');
const DEEPEST_CAUSE = 16;

/**
 * Thrown by a question to suspend its handler, where the client answers by calling again: the call is answered with
 * the question, and the handler runs again with the answer. It is not a failure: let it pass.
 */
export class Suspension extends Error {
  protected readonly [BRAND] = true;

  constructor() {
    super('This run of the handler ends here, because the call waits for its client. Let this error pass.');
    this.name = 'Suspension';
  }
}

/**
 * True for what a question throws while its answer is outstanding, and for errors that have it as a cause.
 * A middleware or handler that deals with errors lets it pass.
 *
 * @example
 * let failures = 0;
 * const countFailures: MiddlewareFunction = async (_call, next) => {
 *   try {
 *     return await next();
 *   } catch (error) {
 *     if (!isSuspension(error)) failures += 1;
 *     throw error;
 *   }
 * };
 */
export function isSuspension(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth += 1) {
    if (typeof current !== 'object' || current === null) return false;
    if (hasBrand(current, BRAND)) return true;
    current = causeOf(current);
  }
  return false;
}

/** Undefined, too, where a getter or a proxy throws. */
function causeOf(error: object): unknown {
  try {
    return (error as { readonly cause?: unknown }).cause;
  } catch {
    return undefined;
  }
}
