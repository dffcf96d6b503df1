import { canonicalJson } from '../../shared/canonical-json.ts';

/** A keyword that goes into the description. */
export interface Constraint {
  readonly keyword: string;
  readonly value: unknown;
  /** Where its value stands in the canonical tool. */
  readonly place: string;
  readonly isReported: boolean;
}

/** The longest JSON that a description takes. */
const MAX_LENGTH = 1000;

/** The constraints as one line of text, and the keywords that it has no room for: the largest. */
export function constraintsText(constraints: readonly Constraint[]): {
  readonly text: string | undefined;
  readonly left: ReadonlySet<string>;
} {
  const bySize = constraints
    .map(({ keyword, value }) => ({ keyword, value, size: canonicalJson(value ?? null).length }))
    .sort((a, b) => b.size - a.size || (a.keyword < b.keyword ? -1 : 1));
  const fitting = bySize.findIndex((_, first) => jsonOf(bySize.slice(first)).length <= MAX_LENGTH);
  const kept = fitting === -1 ? [] : bySize.slice(fitting);
  const left = new Set(bySize.slice(0, bySize.length - kept.length).map(({ keyword }) => keyword));
  return { text: kept.length === 0 ? undefined : `Constraints: ${jsonOf(kept)}`, left };
}

function jsonOf(constraints: readonly { readonly keyword: string; readonly value: unknown }[]): string {
  return canonicalJson(Object.fromEntries(constraints.map(({ keyword, value }) => [keyword, value])));
}
