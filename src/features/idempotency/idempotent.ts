import { objectOf, oneOf, positiveMilliseconds, required } from '../../shared/option-rules.ts';

/** Options of `@Idempotent`. */
export interface IdempotentOptions {
  /**
   * What makes two calls the same: the argument `idempotencyKey` that the client chooses, or all arguments. By its
   * arguments, a call that is meant twice runs once. Default: none; the mark is a hint then.
   */
  readonly key: 'idempotencyKey' | 'arguments';
  /** How long a result is kept after the call, in milliseconds. Default 24 hours. */
  readonly ttl?: number;
  /** What a repeated call does if it is not known how the first one ended. Default `fail`, with `OUTCOME_UNKNOWN`. */
  readonly onUnknown?: 'fail' | 'rerun';
}

export const idempotentRule = objectOf<IdempotentOptions>({
  key: required(oneOf('idempotencyKey', 'arguments')),
  ttl: positiveMilliseconds,
  onUnknown: oneOf('fail', 'rerun'),
});

/** What runs once, and by which key. */
export type IdempotencyRule = Readonly<Required<IdempotentOptions>>;

const DAY = 24 * 60 * 60 * 1000;

export function idempotencyRule({ key, ttl = DAY, onUnknown = 'fail' }: IdempotentOptions): IdempotencyRule {
  return Object.freeze({ key, ttl, onUnknown });
}
