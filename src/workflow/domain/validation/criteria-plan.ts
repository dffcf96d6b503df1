import type { Condition } from '../conditions/condition.ts';

/** Fully checked and compiled criteria. */
export type CriteriaPlan = PlannedRule | PlannedGroup | PlannedNegation;

export interface PlannedRule extends RuleCheck {
  readonly kind: 'rule';
  readonly path: string;
  readonly ruleType: RuleType;
  /** Empty for the default text. */
  readonly message: string;
  readonly condition: Condition | undefined;
}

export type RuleType = 'contains' | 'regex' | 'length' | 'schema';

export interface PlannedGroup {
  /** `all` is an array or `and`, `any` is `or`. */
  readonly kind: 'all' | 'any';
  readonly children: readonly CriteriaPlan[];
}

interface PlannedNegation {
  readonly kind: 'not';
  readonly child: CriteriaPlan;
}

/** The compiled check of a rule. */
export interface RuleCheck {
  /** Undefined if the output passes. */
  readonly check: (output: OutputSubject) => RuleFault | undefined;
  /** The fault of an output that passes where a `not` forbids it. */
  readonly forbidden: Omit<RuleFault, 'code'>;
  /** Present for a regular expression. */
  readonly search?: PatternSearch;
}

interface PatternSearch {
  /** The maximum number of instructions per character. */
  readonly size: number;
  readonly shown: string;
}

export interface RuleFault {
  readonly code: string;
  /** Used if the rule has no message of its own. */
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly info?: unknown;
}

/** The result of a part of the criteria; `unjudged` if it depends on a rule that could not be checked. */
export type Verdict = 'pass' | 'fail' | 'skipped' | 'unjudged';

/** A rule with its result. */
export interface CheckedRule {
  readonly rule: PlannedRule;
  readonly verdict: Verdict;
  /** Why it failed, or could not be checked. */
  readonly fault?: RuleFault;
}

/** The output that rules check; its JSON is parsed at most once. */
export class OutputSubject {
  readonly text: string;
  #json: ParsedJson | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get json(): ParsedJson {
    return (this.#json ??= parse(this.text));
  }
}

type ParsedJson = { readonly value: unknown } | { readonly fault: string };

function parse(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
