import type { Draft } from '../draft.ts';
import { isAnnotation, listsStructures, NUMBER_FORMATS, typesOf } from '../types.ts';
import { describe, keep, type Rule } from './rule.ts';
import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { resolved } from './reference-rules.ts';
import { isReference, type Part } from '../source-schema.ts';
import { openValue } from './type-rules.ts';

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

/** K: a list need not declare its items. */
export const keepWithoutItems: Rule = { letter: 'K' };

/** t: any items, which is the meaning of a list without `items`. */
export const giveAnyItems: Rule = {
  letter: 't',
  finish: (draft) => {
    const { out } = draft;
    if (out.has('items') || !(isList(out.get('type')) || !out.has('type'))) return;
    // `items` has looked at every item, so that none is left for it
    if (out.has('unevaluatedItems'))
      draft.lose('unevaluatedItems', 'transformed', 'unevaluatedItems refuses no items of a list any more.');
    if (isList(out.get('type'))) draft.put('items', {});
  },
};

/** T: items of any kind, each a text that holds JSON. */
export const giveTextItems: Rule = {
  letter: 'T',
  shape: moveIntoAlternatives,
  finish: (draft) => {
    const { out } = draft;
    if (!isList(out.get('type')) || out.has('items') || out.has('prefixItems')) return;
    draft.put('items', openValue(draft.rewriter, draft.path));
  },
};

/** Writes `items`, which no row of the matrix is about. */
export function writeItems(draft: Draft, keyword: string, value: unknown): void {
  const { prefixItems, openValue: open } = draft.rewriter.target.rules;
  // Without the tuple before them, these would be the items of the whole list
  const isRest = Array.isArray(draft.node.prefixItems) && prefixItems.letter !== 'K';
  if (isRest || (value === false && open.letter !== 'K')) draft.describe(keyword, value);
  else draft.put(keyword, draft.child(value as RawSchema, draft.placeOf(keyword)));
}

function isList(type: unknown): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

const ITEMS = ['items', 'prefixItems'];

/** A list with alternatives: each of them says what its items are, because both would have to hold. */
function moveIntoAlternatives(node: PlainObject, draft: Draft): PlainObject {
  const keyword = Object.hasOwn(node, 'anyOf') ? 'anyOf' : 'oneOf';
  const branches = node[keyword];
  if (!Array.isArray(branches) || !Object.hasOwn(node, 'type')) return node;
  if (!isList(node.type) && !branches.some((branch) => isPlainObject(branch) && listsStructures(branch)))
    return node;
  const { source } = draft.rewriter;
  const moved = source.partsOf(node).filter((part) => part.keyword === 'type' || isAboutItems(part));
  const place = source.placeOf(node, keyword);
  const known = (branches as readonly RawSchema[]).map((branch, index) =>
    followed(branch, pointTo(place, index), draft),
  );
  const value = known.map((branch) => withParts(branch, moved, draft));
  const isShared = moved.some(isAboutItems) && !known.every(lacksItems);
  const left = isShared ? [] : moved.map((part) => [part.keyword, undefined] as const);
  return source.change(node, { ...Object.fromEntries(left), [keyword]: value });
}

function isAboutItems({ keyword }: Part): boolean {
  return ITEMS.includes(keyword);
}

function lacksItems(branch: RawSchema): boolean {
  return !isPlainObject(branch) || !ITEMS.some((keyword) => Object.hasOwn(branch, keyword));
}

function followed(branch: RawSchema, path: string, draft: Draft): RawSchema {
  const { source, recursion } = draft.rewriter;
  if (branch === true) return source.derive(path, []);
  if (branch === false || !isReference(branch)) return branch;
  const target = source.follow(branch);
  return recursion.isCyclic(target.path, target.schema) ? branch : resolved(branch, draft);
}

function withParts(branch: RawSchema, moved: readonly Part[], { rewriter: { source } }: Draft): RawSchema {
  if (!isPlainObject(branch) || isReference(branch)) return branch;
  const own = typesOf(branch);
  const parts = moved.flatMap((part) => {
    if (part.keyword !== 'type') return lacksItems(branch) ? [part] : [];
    if (own.length === 0) return [part];
    const value = own.filter((type) => isAmong(type, part.value));
    return [{ ...part, value: value.length === 1 ? value[0] : value }];
  });
  if (parts.some(({ keyword, value }) => keyword === 'type' && Array.isArray(value) && value.length === 0))
    return false;
  const rest = source.partsOf(branch).filter(({ keyword }) => keyword !== 'type');
  return source.derive(source.pathOf(branch), [...parts, ...rest]);
}

function isAmong(type: string, types: unknown): boolean {
  const among = typesOf({ type: types });
  return among.includes(type) || (type === 'integer' && among.includes('number'));
}
