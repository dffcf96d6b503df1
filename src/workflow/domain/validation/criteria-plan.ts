import type { Condition } from '../conditions/condition.ts';
import type { OutputSubject } from './output-subject.ts';

/** Criteria that were checked in every part, with everything in them compiled. */
export type CriteriaPlan = PlannedRule | PlannedGroup | PlannedNegation;

export interface PlannedRule extends Judge {
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

export interface PlannedNegation {
  readonly kind: 'not';
  readonly child: CriteriaPlan;
}

/** What a rule asks of an output. */
export interface Judge {
  /** Undefined when the output is as the rule wants it. */
  readonly judge: (output: OutputSubject) => RuleFault | undefined;
  /** What is wrong with an output that is so where a `not` forbids it. */
  readonly forbidden: Omit<RuleFault, 'code'>;
  /** Present for a regular expression. */
  readonly search?: PatternSearch;
}

export interface PatternSearch {
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
