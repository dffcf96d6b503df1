import { objectOf, rule, type OptionRule, type OptionRules } from '../../shared/option-rules.ts';
import { withoutUndefined } from '../../shared/json.ts';

/** How large a result may be. A larger one is cut, or stored for a while, or becomes an error. It is never invalid. */
export interface BudgetOptions {
  /** Bytes of `content` and `structuredContent` together, as they are sent; at least 1,024. Default: the outer budget. */
  readonly bytes?: number;
  /** Tokens of the same, counted by `limits.countTokens`; at least 512. Default: the outer budget. */
  readonly tokens?: number;
}

const BUDGET_RULES: OptionRules<BudgetOptions> = {
  bytes: atLeast(1024),
  tokens: atLeast(512),
};

/** The error in place of a result has to fit as well. */
function atLeast(least: number): OptionRule {
  return rule(
    `a whole number, ${String(least)} or more, or Infinity`,
    (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= least),
  );
}

export const budgetRule = objectOf(BUDGET_RULES);

/** How large the results of an action may be; Infinity for what is not limited. */
export interface ScannedBudget {
  readonly bytes: number;
  readonly tokens: number;
  readonly countTokens: ((text: string) => number) | undefined;
  /** Whether the action or its group says so, and not the application alone. */
  readonly isOwn: boolean;
}

/**
 * The budget that options name, the nearest first; each of them may leave a part to the next one.
 * @param around that of the application or registry
 */
export function budgetOf(
  nearestFirst: readonly (BudgetOptions | undefined)[],
  around: ScannedBudget = UNLIMITED,
): ScannedBudget | undefined {
  const own = nearestFirst.filter((options) => options !== undefined);
  const all: readonly BudgetOptions[] = [...own, around];
  const bytes = all.find((each) => each.bytes !== undefined)?.bytes ?? Infinity;
  const tokens = all.find((each) => each.tokens !== undefined)?.tokens ?? Infinity;
  if (bytes === Infinity && tokens === Infinity) return undefined;
  const { countTokens } = around;
  return Object.freeze({ bytes, tokens, countTokens, isOwn: own.length > 0 });
}

/** A token has at least about so many bytes. */
export const BYTES_PER_TOKEN = 3;

/** How many characters the author of an action allows its results; undefined where only the application says something. */
export function ownLength({ bytes, tokens, isOwn }: ScannedBudget): number | undefined {
  return isOwn ? Math.min(bytes, tokens * BYTES_PER_TOKEN) : undefined;
}

export const UNLIMITED = Object.freeze({
  bytes: Infinity,
  tokens: Infinity,
  countTokens: undefined,
  isOwn: false,
});

/** The options for all calls that make a budget. */
export interface BudgetDefaults {
  readonly budget?: BudgetOptions;
  readonly countTokens?: (text: string) => number;
}

/** What counts where an action and its groups say nothing. @param bytes where the options say nothing either */
export function defaultBudget({ budget = {}, countTokens }: BudgetDefaults, bytes = Infinity): ScannedBudget {
  return Object.freeze({ bytes, tokens: Infinity, ...withoutUndefined(budget), countTokens, isOwn: false });
}
