import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { Draft } from '../draft.ts';
import { resolved } from './reference-rules.ts';
import { isReference, type Part } from '../source-schema.ts';
import { listsStructures, typesOf } from '../types.ts';
import { openValue } from './type-rules.ts';
import type { Rule } from './rule.ts';

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
