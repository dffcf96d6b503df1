import { ProtocolError } from './protocol-error.ts';
import { isSuspension } from './step.ts';
import { thrownName } from './thrown-message.ts';
import { refuseOptions } from '../errors/option-errors.ts';
import { ToolError } from '../errors/tool-error.ts';
import { aFunction, positiveMilliseconds, wholeNumber, type OptionRules } from '../shared/option-rules.ts';

/** Calls pass; calls are refused; one call tries whether the dependency is back. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/** Options of `breaker()`. */
export interface BreakerOptions {
  /** So many failures in a row open it. Default 5. */
  readonly failures?: number;
  /** Milliseconds after which one call may try again. Default 10,000. */
  readonly resetAfter?: number;
  /**
   * Whether an error says that the dependency is not well. Default: every error but a `ToolError` or `ProtocolError`, which is
   * an answer, and a call that was cancelled. A call that ran out of time counts.
   */
  readonly isFailure?: (error: unknown) => boolean;
  /** Receives the new state when it changes. Default: nobody. */
  readonly onChange?: (state: BreakerState) => void;
}

export const BREAKER_RULES: OptionRules<BreakerOptions> = {
  failures: wholeNumber(1),
  resetAfter: positiveMilliseconds,
  isFailure: aFunction,
  onChange: aFunction,
};

/**
 * Keeps calls from a dependency that fails: after some failures in a row they fail at once with `UPSTREAM_UNAVAILABLE` and
 * `retryAfter`, until one that is let through succeeds. Make one for each dependency, not for each tool.
 *
 * @example
 * const billing = breaker('billing', { failures: 3, resetAfter: 5_000 });
 * const invoice = (id: string) => billing.run(() => fetch(`https://billing.example/${id}`));
 */
export function breaker(dependency: string, options: BreakerOptions = {}): Breaker {
  return new Breaker(dependency, options);
}

/** A circuit breaker around the calls of one dependency. */
export class Breaker {
  readonly #dependency: string;
  readonly #failures: number;
  readonly #resetAfter: number;
  readonly #isFailure: (error: unknown) => boolean;
  readonly #onChange: (state: BreakerState) => void;
  #state: BreakerState = 'closed';
  /** In a row. */
  #failed = 0;
  #opensAt = 0;

  /** Creates a closed one. @throws ToolwrightError TW_APPLICATION_OPTION */
  constructor(dependency: string, options: BreakerOptions = {}) {
    refuseOptions('TW_APPLICATION_OPTION', 'breaker()', options, BREAKER_RULES);
    this.#dependency = dependency;
    this.#failures = options.failures ?? 5;
    this.#resetAfter = options.resetAfter ?? 10_000;
    this.#isFailure = options.isFailure ?? isFailure;
    this.#onChange = options.onChange ?? (() => undefined);
  }

  /** What it does with the next call; an open one lets it through when its time is over. */
  get state(): BreakerState {
    return this.#state;
  }

  /** Calls the dependency. @throws ToolError `UPSTREAM_UNAVAILABLE` without a call while it is open */
  async run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const isProbe = this.#enter();
    try {
      const result = await work();
      this.#succeed(isProbe);
      return result;
    } catch (error) {
      if (saysNothing(error)) this.#giveUp(isProbe);
      else if (this.#isFailure(error)) this.#fail(isProbe);
      else this.#succeed(isProbe);
      throw error;
    }
  }

  /** Whether the call is the one that tries. */
  #enter(): boolean {
    if (this.#state === 'closed') return false;
    const wait = this.#state === 'half-open' ? 1 : this.#opensAt - Date.now();
    if (wait > 0) throw this.#unavailable(Math.ceil(wait / 1000));
    this.#to('half-open');
    return true;
  }

  // A call that began before it opened says nothing of the time after that

  #succeed(isProbe: boolean): void {
    if (this.#state !== 'closed' && !isProbe) return;
    this.#failed = 0;
    this.#to('closed');
  }

  #fail(isProbe: boolean): void {
    if (this.#state !== 'closed' && !isProbe) return;
    this.#failed += 1;
    if (!isProbe && this.#failed < this.#failures) return;
    this.#opensAt = Date.now() + this.#resetAfter;
    this.#to('open');
  }

  /** The next call tries in its place. */
  #giveUp(isProbe: boolean): void {
    if (isProbe) this.#to('open');
  }

  #to(state: BreakerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange(state);
  }

  #unavailable(retryAfter: number): ToolError {
    const message = `${this.#dependency} is not available; try again in ${String(retryAfter)} s`;
    return new ToolError('UPSTREAM_UNAVAILABLE', message, { retryAfter });
  }
}

function saysNothing(error: unknown): boolean {
  if (ToolError.is(error)) return error.code === 'CANCELLED';
  return isSuspension(error) || thrownName(error) === 'AbortError';
}

function isFailure(error: unknown): boolean {
  return ToolError.is(error) ? error.code === 'TIMED_OUT' : !ProtocolError.is(error);
}
