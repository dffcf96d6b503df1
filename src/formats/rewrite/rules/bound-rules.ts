import type { Draft } from '../draft.ts';
import type { Rule } from '../rule.ts';
import { NUMBER_FORMATS, typesOf } from '../types.ts';
import { describe, keep } from './basic-rules.ts';

/** t for integers, where "more than 4" is "at least 5". */
export const inclusiveForIntegers: Rule = {
  letter: 't for integers / D',
  write: (draft, keyword, value) => {
    const types = typesOf(draft.node).filter((type) => type !== 'null');
    const isInteger = types.length === 1 && types[0] === 'integer';
    if (!isInteger || typeof value !== 'number') return draft.describe(keyword, value);
    if (keyword === 'exclusiveMinimum') tighten(draft, 'minimum', Math.floor(value) + 1, Math.max);
    else tighten(draft, 'maximum', Math.ceil(value) - 1, Math.min);
  },
};

/** The stricter of a bound and the one that stands there already. */
function tighten(
  draft: Draft,
  keyword: 'minimum' | 'maximum',
  bound: number,
  stricter: (...bounds: number[]) => number,
): void {
  const own = draft.node[keyword];
  draft.put(keyword, typeof own === 'number' ? stricter(own, bound) : bound);
}

/** K, unless an exclusive bound of an integer was stricter and stands there already. */
export const keepBounds: Rule = {
  letter: 'K',
  write: (draft, keyword, value) => {
    if (!draft.out.has(keyword)) draft.put(keyword, value);
  },
};

/** K for a list of no or one item at least. */
export const minItemsToOne: Rule = {
  letter: 'K for 0, 1 / D',
  write: (draft, keyword, value) =>
    value === 0 || value === 1 ? draft.put(keyword, value) : draft.describe(keyword, value),
};

/** K for the formats that the provider lists. */
export function keepFormats(listed: Iterable<string>): Rule {
  const known = new Set(listed);
  return {
    letter: 'K if listed / D',
    write: (draft, keyword, value) => {
      const isKept = known.has(String(value)) && isForType(String(value), draft);
      if (isKept) keep.write?.(draft, keyword, value);
      else describe.write?.(draft, keyword, value);
    },
  };
}

function isForType(format: string, { node }: Draft): boolean {
  const types = typesOf(node);
  const isNumeric = types.includes('number') || types.includes('integer');
  return types.length === 0 || (NUMBER_FORMATS.has(format) ? isNumeric : types.includes('string'));
}

/** t for one example; of several, the first stays. */
export const firstExample: Rule = {
  letter: 't if one / T first as `example`',
  write: (draft, keyword, value) => {
    const examples: readonly unknown[] = Array.isArray(value) ? value : [];
    if (examples.length === 0) return;
    draft.put('example', examples[0]);
    if (examples.length > 1) draft.lose(keyword, 'transformed', 'only the first of the examples stayed.');
  },
};

/** X, but for the order of properties, which both forms of Gemini know. */
export const dropButOrdering: Rule = {
  letter: 'X (`propertyOrdering` K)',
  write: (draft, keyword, value) => {
    if (keyword !== 'propertyOrdering' || !Array.isArray(value)) return draft.drop(keyword);
    draft.put(
      keyword,
      value.map((name) => draft.keys.of(String(name))),
    );
  },
};
