import { type PlainObject, isPlainObject } from '../../../shared/json.ts';
import type { Draft, Rewriting } from '../draft.ts';
import type { Part } from '../source-schema.ts';
import { hasType, isAnnotation, listedValues, typeOfKeyword, typesOf, typesOfValues } from '../types.ts';
import type { Rule } from './rule.ts';
import { rowOf } from '../rows.ts';

/** t: `nullable` becomes a type, or an alternative. */
export const nullableAsType: Rule = {
  letter: 't',
  shape: (node, { position, rewriter: { source } }) => {
    if (!Object.hasOwn(node, 'nullable')) return node;
    const plain = source.change(node, { nullable: undefined });
    if (node.nullable !== true || position.isRoot) return plain;
    const types = typesOf(node);
    if (types.length === 0 || listedValues(node) !== undefined) return source.orNull(plain);
    return source.change(plain, { type: types.includes('null') ? types : [...types, 'null'] });
  },
};

/** t: one type, `nullable`, and an alternative for each further type. */
export const singleTypes: Rule = {
  letter: 't (nullable, anyOf)',
  shape: (node, draft) => {
    const { source } = draft.rewriter;
    const types = typesOf(node);
    if (!Array.isArray(node.type))
      return types.includes('null') ? node : source.change(node, withoutNull(node));
    const others = types.filter((type) => type !== 'null');
    const isSingle = others.length <= 1;
    const shown = source.change(node, {
      ...withoutNull(node),
      ...(isSingle && { type: others[0] ?? 'null' }),
    });
    const parts = isSingle ? source.partsOf(shown) : alternatives(shown, others, draft);
    const isNullable = others.length < types.length && others.length > 0;
    const nullable: Part = { keyword: 'nullable', value: true, place: source.placeOf(node, 'type') };
    return source.derive(source.pathOf(node), isNullable ? [...parts, nullable] : parts);
  },
};

/** Null among listed values is expressed by `nullable`; alone it stays. */
function withoutNull({ enum: listed }: PlainObject): PlainObject {
  const values = Array.isArray(listed) ? listed.filter((value) => value !== null) : [];
  return values.length === 0 ? {} : { enum: values };
}

/** One alternative for each type, with the keywords that are about it. */
function alternatives(
  node: PlainObject,
  types: readonly string[],
  { rewriter: { source } }: Draft,
): readonly Part[] {
  const path = source.pathOf(node);
  const parts = source.partsOf(node);
  const inner = parts.filter(({ keyword }) => !isAnnotation(keyword) && keyword !== 'type');
  const branches = types.map((type) => {
    const own = inner.filter(({ keyword, value }) => isAbout(typeOfKeyword(keyword, value), type));
    const listed = own.map((part) => (part.keyword === 'enum' ? onlyOf(part, type) : part));
    return source.derive(path, [{ keyword: 'type', value: type, place: path }, ...listed]);
  });
  const fitting = branches.filter((branch) => !Array.isArray(branch.enum) || branch.enum.length > 0);
  return [
    ...parts.filter(({ keyword }) => isAnnotation(keyword)),
    { keyword: 'anyOf', value: fitting, place: path },
  ];
}

function isAbout(subject: string | undefined, type: string): boolean {
  return subject === undefined || subject === (type === 'integer' ? 'number' : type);
}

function onlyOf(part: Part, type: string): Part {
  return { ...part, value: (part.value as readonly unknown[]).filter((value) => hasType(value, type)) };
}

/** T: a value without a type, or without named members, becomes a text that holds JSON. */
export const openAsText: Rule = {
  letter: 'T',
  shape: giveType,
  replace: (draft) => replaceIf(draft, isUntyped(draft) || isOpenObject(draft)),
  finish: declareRequired,
};

/** Objects stay open. */
export const openButObjects: Rule = {
  ...openAsText,
  letter: 'T (objects K)',
  replace: (draft) => replaceIf(draft, isUntyped(draft)),
};

function replaceIf(draft: Draft, isOpen: boolean): boolean {
  if (isOpen) writeOpenValue(draft);
  return isOpen;
}

/** The type that the listed values have, or that the keywords are about. */
function giveType(node: PlainObject, draft: Draft): PlainObject {
  const values = listedValues(node);
  if (typesOf(node).length > 0) return node;
  if (values !== undefined) return withType(node, typesOfValues(values), draft);
  if (!isUntyped(draft)) return node;
  const implied = new Set(
    Object.entries(node).flatMap(([keyword, value]) => typeOfKeyword(keyword, value) ?? []),
  );
  if (implied.size === 0) return node;
  const types = [...implied].sort();
  const { source } = draft.rewriter;
  const outcome = `the type is taken to be ${types.join(' or ')}, which the keywords are about.`;
  draft.lose('type', 'transformed', outcome, source.pathOf(node));
  return withType(node, types, draft);
}

function withType(node: PlainObject, types: readonly string[], { rewriter: { source } }: Draft): PlainObject {
  return source.change(node, { type: types.length === 1 ? types[0] : types });
}

const ANY = 'JSON text is expected.';
const OBJECT = 'JSON text of an object is expected.';

/** Represents a value of any kind where every value needs a type: a text that holds JSON. */
export function openValue(rewriter: Rewriting, path: string): PlainObject {
  reportOpen(rewriter, path);
  const emitted = { type: 'string', description: ANY };
  rewriter.notes.set(emitted, { openTypes: [] });
  return emitted;
}

function reportOpen({ losses }: Rewriting, path: string): void {
  const outcome = 'a value of any kind became a text that holds JSON.';
  losses.report({ feature: 'open-value', path, action: 'transformed', outcome });
}

/** Writes a node as a text that holds JSON. */
function writeOpenValue(draft: Draft): void {
  const types = typesOf(draft.node);
  reportOpen(draft.rewriter, draft.path);
  draft.note = { openTypes: types };
  draft.hint = types.includes('object') ? OBJECT : ANY;
  draft.put('type', types.includes('null') ? ['string', 'null'] : 'string');
  for (const [keyword, value] of Object.entries(draft.node)) writeBeside(draft, keyword, value);
}

/** Keywords about the value would apply to the text, so they go into the description. */
function writeBeside(draft: Draft, keyword: string, value: unknown): void {
  const rule = draft.rewriter.target.rules[rowOf(keyword, value, false)];
  if (keyword === 'type' || keyword === 'properties' || keyword === 'description') return;
  if (keyword === 'title' || keyword === 'nullable') draft.put(keyword, value);
  else if (keyword === 'additionalProperties') describeMembers(draft, value);
  else if (rule.letter.startsWith('X')) draft.drop(keyword);
  else if (!keyword.startsWith('$')) draft.describe(keyword, value);
}

function describeMembers(draft: Draft, value: unknown): void {
  if (isPlainObject(value) && Object.keys(value).length > 0)
    draft.describe('additionalProperties', value, true);
}

/** True for a node that does not determine the type of its value. */
function isUntyped(draft: Draft): boolean {
  const { node, position, rewriter } = draft;
  if (position.isTyped || position.isRoot || typesOf(node).length > 0 || listedValues(node) !== undefined)
    return false;
  const telling = ['$ref', '$dynamicRef', 'anyOf', 'oneOf'];
  // In the description it says nothing; where it cannot be described it is kept, or an error
  if (!rewriter.target.rules.allOf.letter.endsWith('D')) telling.push('allOf');
  return !telling.some((keyword) => Object.hasOwn(node, keyword));
}

/** True for an object without declared members. */
function isOpenObject({ node, position }: Draft): boolean {
  const types = typesOf(node).filter((type) => type !== 'null');
  if (position.isRoot || !types.includes('object') || listedValues(node) !== undefined) return false;
  const { properties, additionalProperties, unevaluatedProperties } = node;
  const hasNames = isPlainObject(properties) && Object.keys(properties).length > 0;
  if (hasNames || ['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => Object.hasOwn(node, keyword)))
    return false;
  return additionalProperties !== false && unevaluatedProperties !== false;
}

/** A provider refuses to require what is not declared; for JSON Schema such a property may hold anything. */
function declareRequired(draft: Draft): void {
  const required = draft.out.get('required');
  const isAlternative = draft.position.isTyped && typesOf(draft.node).length === 0;
  if (!Array.isArray(required) || isAlternative) return;
  const declared = draft.out.get('properties');
  const properties: PlainObject = isPlainObject(declared) ? declared : {};
  const missing = required.map(String).filter((name) => !Object.hasOwn(properties, name));
  if (missing.length === 0) return;
  const added = missing.map((name) => [name, openValue(draft.rewriter, draft.path)] as const);
  draft.put('properties', Object.fromEntries([...Object.entries(properties), ...added]));
}
