import {
  RATE_RULES,
  type LimitBy,
  type LimitedCall,
  type RateLimitOptions,
} from '../../metadata/rate-options.ts';
import {
  countOrInfinity,
  listOf,
  objectOf,
  oneOf,
  positiveMilliseconds,
  required,
  type OptionRule,
  type OptionRules,
} from '../../shared/option-rules.ts';

/** So many calls in an hour, day or month of the calendar (UTC). */
export interface QuotaOptions {
  /** The number of calls. */
  readonly limit: number;
  /** When it begins again. */
  readonly per: 'hour' | 'day' | 'month';
  /** Whose calls are counted together. Default `subject`. */
  readonly by?: LimitBy;
  /** How many calls a call counts for; what is above `limit` counts as `limit`. Default 1. */
  readonly cost?: number | ((call: LimitedCall) => number);
}

/** Calls that wait for their turn. */
export interface QueueOptions {
  /** So many calls wait; a further one is refused. */
  readonly size: number;
  /** Milliseconds after which a call that waits is refused. */
  readonly timeout: number;
}

/** So many calls run at the same time. */
export interface ConcurrencyOptions {
  /** The number of calls. */
  readonly limit: number;
  /** Whose calls are counted together. Default `subject`. */
  readonly by?: LimitBy;
  /** Default: a call that cannot run at once is refused. */
  readonly queue?: QueueOptions;
}

/** What decorators and options say of one limit. */
export type LimitDeclaration =
  | { readonly kind: 'rate'; readonly options: RateLimitOptions }
  | { readonly kind: 'quota'; readonly options: QuotaOptions }
  | { readonly kind: 'concurrency'; readonly options: ConcurrencyOptions };

const { limit, by, cost } = RATE_RULES;

const QUOTA_RULES: OptionRules<QuotaOptions> = {
  limit,
  per: required(oneOf('hour', 'day', 'month')),
  by,
  cost,
};

const QUEUE_RULES: OptionRules<QueueOptions> = {
  size: required(countOrInfinity),
  timeout: required(positiveMilliseconds),
};

const CONCURRENCY_RULES: OptionRules<ConcurrencyOptions> = {
  limit,
  by,
  queue: objectOf(QUEUE_RULES),
};

export const rateLimitRule = objectOf(RATE_RULES);
export const quotaRule = objectOf(QUOTA_RULES);
export const concurrencyRule = objectOf(CONCURRENCY_RULES);

/** One, or a list of them. */
export function oneOrMore(each: OptionRule): OptionRule {
  const list = listOf(each);
  const allowed = `${each.allowed}, or a list of them`;
  return {
    allowed,
    faultsOf: (value, path) => (Array.isArray(value) ? list : each).faultsOf(value, path),
  };
}

/** The limits that count calls; each stands for one or several. */
export interface CountedLimits {
  /** How often calls may come. Default: as often as they like. */
  readonly rate?: RateLimitOptions | readonly RateLimitOptions[];
  /** How many calls may come in an hour, day or month. Default: any number. */
  readonly quota?: QuotaOptions | readonly QuotaOptions[];
  /** How many calls may run at the same time. Default: any number. */
  readonly concurrency?: ConcurrencyOptions | readonly ConcurrencyOptions[];
}

export const COUNTED_RULES: OptionRules<CountedLimits> = {
  rate: oneOrMore(rateLimitRule),
  quota: oneOrMore(quotaRule),
  concurrency: oneOrMore(concurrencyRule),
};

/** The options by which all calls are counted. */
export interface CountingOptions extends CountedLimits {
  readonly polls?: RateLimitOptions | readonly RateLimitOptions[];
  readonly onStoreFailure?: 'local' | 'open' | 'closed';
}

/** The rules of the group `limits`, beside those that an action may say as well. */
export const COUNTING_RULES: OptionRules<Omit<CountingOptions, keyof CountedLimits>> = {
  polls: oneOrMore(rateLimitRule),
  onStoreFailure: oneOf('local', 'open', 'closed'),
};
