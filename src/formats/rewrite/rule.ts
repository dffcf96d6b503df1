import type { PlainObject } from '../../shared/json.ts';
import type { Draft } from './draft.ts';
import type { TargetFacts } from './rewriting.ts';
import type { RowId } from './rows.ts';

/**
 * What one target does with one row of the matrix. The letter is what the matrix shows; the functions are what makes
 * it true:
 *
 * K keep · t lossless rewrite · T lossy rewrite · D moved into the description · X removed · E error
 */
export interface Rule {
  readonly letter: string;
  /** Rearranges a node before its keywords are written. */
  readonly shape?: (node: PlainObject, draft: Draft) => PlainObject;
  /** Writes a whole node in another form; false when it is not concerned. */
  readonly replace?: (draft: Draft) => boolean;
  /** Writes one keyword. */
  readonly write?: (draft: Draft, keyword: string, value: unknown) => void;
  /** Completes a node after its keywords were written. */
  readonly finish?: (draft: Draft) => void;
}

export type RuleTable = Readonly<Record<RowId, Rule>>;

/** One column of the matrix. */
export interface Target extends TargetFacts {
  readonly rules: RuleTable;
}
