import type { Condition } from '../conditions/condition.ts';

/** Criteria that were checked in every part, with everything in them compiled. */
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

/** What a rule asks of an output. */
export interface RuleCheck {
  /** Undefined when the output is as the rule wants it. */
  readonly check: (output: OutputSubject) => RuleFault | undefined;
  /** What is wrong with an output that is so where a `not` forbids it. */
  readonly forbidden: Omit<RuleFault, 'code'>;
  /** Present for a regular expression. */
  readonly search?: PatternSearch;
}

interface PatternSearch {
  /** The instructions that every character may cost. */
  readonly size: number;
  /** The regular expression, as text to read. */
  readonly shown: string;
}

export interface RuleFault {
  readonly code: string;
  /** Told when the rule has no message of its own. */
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly info?: unknown;
}

/** How a part of the criteria ends; `unjudged` when that depends on a rule that could not be checked. */
export type Verdict = 'pass' | 'fail' | 'skipped' | 'unjudged';

/** How a rule ended. */
export interface CheckedRule {
  readonly rule: PlannedRule;
  readonly verdict: Verdict;
  /** Why it failed, or could not be checked. */
  readonly fault?: RuleFault;
}

/** An output that rules look at; it is parsed once, however many rules want its JSON. */
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

/** The value, or what the parser has to say. */
type ParsedJson = { readonly value: unknown } | { readonly fault: string };

function parse(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
