import { isInPlace } from '../../../schema/keywords.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { mapHeld, type RawSchema } from '../../../schema/subschemas.ts';
import type { PlainObject } from '../../../shared/json.ts';
import { type Draft, INNER, type Position, type TargetFacts } from '../draft.ts';
import type { RowId } from '../rows.ts';
import { typesOf } from '../types.ts';

/**
 * The treatment of one row of the matrix by one target. The matrix shows the letter; the functions implement it:
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

/** K: as it is; schemas in it are rewritten. */
export const keep: Rule = { letter: 'K', write: writeKept };

/** D: into the description. */
export const describe: Rule = {
  letter: 'D',
  write: (draft, keyword, value) => draft.describe(keyword, value),
};

/** X: away. */
export const drop: Rule = { letter: 'X', write: (draft, keyword) => draft.drop(keyword) };

/** Removed without a loss. */
export const remove: Rule = { letter: 't removed', write: () => undefined };

/** An error before anything is written, so that there is nothing to write. */
export const refused: Rule = { letter: 'E' };

export function writeKept(draft: Draft, keyword: string, value: unknown): void {
  const place = draft.placeOf(keyword);
  const position = positionBelow(draft, keyword);
  const kept = mapHeld(keyword, value, (schema, ...tokens) =>
    // Here a boolean says whether there may be members, not that there is a value of any kind
    tokens.length === 0 && typeof schema === 'boolean'
      ? schema
      : draft.child(schema as RawSchema, pointTo(place, ...tokens), position),
  );
  draft.put(keyword, DEPENDENT.has(keyword) ? renamed(draft, kept as PlainObject) : kept);
}

/** Keywords whose members are called like properties. */
const DEPENDENT = new Set(['dependentRequired', 'dependentSchemas']);

function renamed({ keys }: Draft, members: PlainObject): PlainObject {
  const entries = Object.entries(members).map(([name, held]) => [
    keys.of(name),
    Array.isArray(held) ? held.map((each) => keys.of(String(each))) : held,
  ]);
  return Object.fromEntries(entries) as PlainObject;
}

/** The position of the schemas in a keyword. */
export function positionBelow({ position, node }: Draft, keyword: string): Position {
  if (!isInPlace(keyword)) return INNER;
  const isTyped = position.isTyped || typesOf(node).length > 0;
  return { isRoot: false, isArguments: position.isArguments, isTyped };
}
