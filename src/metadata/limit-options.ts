import type { AuthInfo } from '../call/request-context.ts';
import {
  aFunction,
  countOrInfinity,
  either,
  listOf,
  objectOf,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  wholeNumber,
  type OptionRule,
  type OptionRules,
} from '../shared/option-rules.ts';

/** What a limit sees of a call. The arguments are as the client sent them: nothing has validated them yet. */
export interface LimitedCall {
  /** The caller; undefined without authentication. */
  readonly authInfo: AuthInfo | undefined;
  /** The address of the client; undefined where it is unknown, and where there is none. */
  readonly address: string | undefined;
  /** The arguments of the call. */
  readonly args: Readonly<Record<string, unknown>>;
  /** An HTTP header of the request, letter case ignored; undefined on other transports. */
  header(name: string): string | undefined;
}

/**
 * Whose calls are counted together: those of a person, of a tenant, of a client program, from an address, or all. A
 * function gives the text that they have in common, or undefined for a call that is not counted. Callers without
 * authentication are known by their addresses.
 */
export type LimitBy =
  'subject' | 'tenant' | 'client' | 'address' | 'all' | ((call: LimitedCall) => string | undefined);

/** Calls may come this often. They are counted before anything is validated. */
export interface RateLimitOptions {
  /** So many calls... */
  readonly limit: number;
  /** ...in this time, in milliseconds where it is a number. They are spread over it evenly. */
  readonly per: 'second' | 'minute' | 'hour' | 'day' | number;
  /** So many calls may come at once, after a pause. Default: `limit`. */
  readonly burst?: number;
  /** Whose calls are counted together. Default `subject`. */
  readonly by?: LimitBy;
  /** How many calls a call counts for; what is above `burst` counts as `burst`. Default 1. */
  readonly cost?: number | ((call: LimitedCall) => number);
}

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

const limitByRule = either(oneOf('subject', 'tenant', 'client', 'address', 'all'), aFunction);
const costRule = either(
  rule('a whole number, 0 or more', (value) => Number.isSafeInteger(value) && (value as number) >= 0),
  aFunction,
);
const mostCalls = wholeNumber(1, 1_000_000_000);

export const RATE_RULES: OptionRules<RateLimitOptions> = {
  limit: required(mostCalls),
  per: required(either(oneOf('second', 'minute', 'hour', 'day'), positiveMilliseconds)),
  burst: mostCalls,
  by: limitByRule,
  cost: costRule,
};

const QUOTA_RULES: OptionRules<QuotaOptions> = {
  limit: required(mostCalls),
  per: required(oneOf('hour', 'day', 'month')),
  by: limitByRule,
  cost: costRule,
};

const QUEUE_RULES: OptionRules<QueueOptions> = {
  size: required(countOrInfinity),
  timeout: required(positiveMilliseconds),
};

const CONCURRENCY_RULES: OptionRules<ConcurrencyOptions> = {
  limit: required(mostCalls),
  by: limitByRule,
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
