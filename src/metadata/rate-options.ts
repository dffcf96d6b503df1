import type { AuthInfo } from '../call/request-context.ts';
import {
  aFunction,
  either,
  oneOf,
  positiveMilliseconds,
  required,
  rule,
  wholeNumber,
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
  | 'subject'
  | 'tenant'
  | 'client'
  | 'address'
  | 'all'
  | ((call: LimitedCall) => string | undefined);

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

const TIMES = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** In milliseconds. */
export function timeOf(per: RateLimitOptions['per']): number {
  return typeof per === 'number' ? per : TIMES[per];
}
