import type { BudgetOptions } from '../features/budgets/budget.ts';
import type { AnyFeature } from '../features/feature.ts';
import type { ConcurrencyOptions, QuotaOptions } from '../features/limits/counted-limits.ts';
import type { RateLimitOptions } from '../metadata/rate-options.ts';
import { wholeNumber, type OptionRules } from '../shared/option-rules.ts';
import { FEATURES } from './features.ts';

/** The limits of an action or of all calls; each stands for one or several. */
export interface CallLimits {
  /** How often calls may come. Default: as often as they like. */
  readonly rate?: RateLimitOptions | readonly RateLimitOptions[];
  /** How many calls may come in an hour, day or month. Default: any number. */
  readonly quota?: QuotaOptions | readonly QuotaOptions[];
  /** How many calls may run at the same time. Default: any number. */
  readonly concurrency?: ConcurrencyOptions | readonly ConcurrencyOptions[];
  /** How large a result may be; the nearest counts. Default: that of the group or application, 1 MiB unless set. */
  readonly budget?: BudgetOptions;
}

/** The limits of all calls together, and the defaults of those that each call has to itself. */
export interface LimitOptions extends CallLimits {
  /** The time limit of a call in milliseconds; `@Timeout` overrides it. Default: none. */
  readonly timeout?: number;
  /** Maximum number of values in the arguments of a call, prompt or completion, including objects and lists. Default 10,000. */
  readonly argumentNodes?: number;
  /**
   * Counts the tokens of what is sent, for budgets in tokens. It has to be quick, and must not count more tokens than
   * bytes. Default: a third of the bytes.
   */
  readonly countTokens?: (text: string) => number;
  /** How often clients may ask how their tasks are. It is not counted as a call. Default: as often as they like. */
  readonly polls?: RateLimitOptions | readonly RateLimitOptions[];
  /**
   * What happens while the counter or the slots of the backplane fail, or take longer than a second: each process counts its
   * own calls by the same limits, all calls pass, or none does. Default `local`.
   */
  readonly onStoreFailure?: 'local' | 'open' | 'closed';
}

/** The rules of members that no feature has. */
const OWN_RULES = { argumentNodes: wholeNumber(1) };

/** As messages list them. */
const ORDER = [
  ...(['rate', 'quota', 'concurrency', 'budget', 'timeout', 'argumentNodes', 'countTokens'] as const),
  ...(['polls', 'onStoreFailure'] as const),
];

/** The rules of the group `limits` of an application or registry, with the members of features. */
export function limitRules(features: readonly AnyFeature[]): OptionRules<LimitOptions> {
  const ofFeatures = features.map(({ options }) => ({ ...options?.callLimits, ...options?.limits }));
  return inOrder(Object.assign({}, ...ofFeatures, OWN_RULES) as OptionRules<LimitOptions>);
}

/** The rules of the `limits` of an action or group of the plain API. */
function callLimitRules(features: readonly AnyFeature[]): OptionRules<CallLimits> {
  const ofFeatures = features.map(({ options }) => options?.callLimits ?? {});
  return inOrder(Object.assign({}, ...ofFeatures) as OptionRules<CallLimits>);
}

function inOrder<Rules extends object>(rules: Rules): Rules {
  const known = ORDER.filter((name) => name in rules);
  return {
    ...(Object.fromEntries(known.map((name) => [name, rules[name as keyof Rules]])) as Rules),
    ...rules,
  };
}

export const LIMIT_RULES = limitRules(FEATURES);
export const CALL_LIMIT_RULES = callLimitRules(FEATURES);
