import type { Draft } from '../draft.ts';
import { isAnnotation, listsStructures, NUMBER_FORMATS, typesOf } from '../types.ts';
import { describe, keep, type Rule } from './rule.ts';

/** Keywords that are about numbers, and stand beside a text now. */
const ABOUT_NUMBERS = ['format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** T: the values become texts, which decoding turns back. */
export const asStrings: Rule = {
  letter: 'T strings',
  write: (draft, keyword, value) => {
    writeStrings(draft, value as readonly unknown[]);
    draft.lose(keyword, 'transformed', `the values of ${keyword} became texts.`);
  },
  finish: finishStrings,
};

/** T: objects and lists become JSON texts, because a closed object cannot hold what only a listed value names. */
export const asJsonTexts: Rule = {
  letter: 'T strings',
  shape: (node, draft) => {
    if (draft.position.isRoot || !listsStructures(node)) return node;
    const { source } = draft.rewriter;
    const path = source.pathOf(node);
    // Other keywords about the value would apply to the text; the listed values are more precise
    const kept = source
      .partsOf(node)
      .filter(({ keyword }) => ['enum', 'const'].includes(keyword) || isAnnotation(keyword));
    return source.derive(path, [{ keyword: 'type', value: 'string', place: path }, ...kept]);
  },
  write: (draft, keyword, value) => {
    writeStrings(draft, keyword === 'const' ? [value] : (value as readonly unknown[]));
    draft.lose(keyword, 'transformed', `the values of ${keyword} became texts.`);
  },
};

/** T: the value becomes an enum of one text. */
export const constAsString: Rule = {
  letter: 'T string enum',
  write: (draft, keyword, value) => {
    writeStrings(draft, [value]);
    draft.lose(keyword, 'transformed', `the value of ${keyword} became an enum of one text.`);
  },
};

/** t: an enum of one. */
export const constAsEnum: Rule = {
  letter: 't enum of one',
  write: (draft, _keyword, value) => draft.put('enum', [value]),
};

function writeStrings(draft: Draft, listed: readonly unknown[]): void {
  const values = new Map<string, unknown>();
  for (const value of listed) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (!values.has(text)) values.set(text, value);
  }
  draft.put('enum', [...values.keys()]);
  draft.note = { ...draft.note, values };
}

/** Turns a number into a text, once its keywords are written. */
function finishStrings({ out, note }: Draft): void {
  const { values } = note;
  if (values === undefined) return;
  out.set('type', 'string');
  for (const keyword of ABOUT_NUMBERS) out.delete(keyword);
  for (const [text, value] of values) if (out.get('default') === value) out.set('default', text);
}

/** K, in a target whose enums know no null: that becomes an alternative. */
export const enumOrNull: Rule = {
  ...keep,
  shape: (node, draft) => {
    const { enum: listed } = node;
    if (!Array.isArray(listed) || !listed.includes(null) || listed.length < 2) return node;
    const { source } = draft.rewriter;
    const types = typesOf(node);
    const others = types.filter((type) => type !== 'null');
    const plain = source.change(node, {
      enum: listed.filter((value) => value !== null),
      ...(types.length > 0 && { type: others.length === 1 ? others[0] : others }),
    });
    return types.length > 0 && others.length === types.length ? plain : source.orNull(plain);
  },
};

/** The type is clear from the listed values, and one target refuses both together. */
export const keepWithoutType: Rule = {
  ...keep,
  finish: ({ out }) => {
    if (out.has('enum') || out.has('const')) out.delete('type');
  },
};

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
