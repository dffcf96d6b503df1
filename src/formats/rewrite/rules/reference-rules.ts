import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import { isReference, referenceOf, type Part } from '../source-schema.ts';
import type { Rule } from './rule.ts';
import { isSameJson } from '../../../shared/canonical-json.ts';
import { isAnnotation } from '../types.ts';

/** References and the keywords beside them stay. */
export const keepReferences: Rule = {
  letter: 'K',
  write: (draft, keyword, value) => {
    if (keyword === '$ref') writeReference(draft);
    else if (keyword === '$defs') writeDefinitions(draft, value);
    else draft.put(keyword, value);
  },
};

/** References stay, and lead to definitions; nothing else may stand beside one. */
export const referToDefinitions: Rule = {
  letter: 'K',
  shape: (node, draft) => {
    let shaped = node;
    while (isReference(shaped) && siblingsOf(shaped).length > 0) {
      const { schema, path } = draft.rewriter.source.follow(shaped);
      if (draft.rewriter.recursion.isCyclic(path, schema)) return withoutSiblings(shaped, draft);
      shaped = inlineReference(shaped, draft);
    }
    return shaped;
  },
  write: (draft, keyword, value) => {
    if (keyword === '$ref' || keyword === '$dynamicRef') writeReference(draft);
    if (keyword === '$defs' && draft.position.isRoot) writeDefinitions(draft, value);
  },
};

/** Each reference is replaced by its target. */
export const inlineReferences: Rule = {
  letter: 't inline',
  shape: (node, draft) => {
    const seen = new Set<string>();
    let shaped = node;
    while (isReference(shaped)) {
      const { path } = draft.rewriter.source.follow(shaped);
      if (seen.has(path)) draft.refuseRecursion(referenceOf(shaped));
      seen.add(path);
      shaped = inlineReference(shaped, draft);
    }
    return shaped;
  },
};

/** E: a schema that contains itself. */
export const refuseRecursive: Rule = refuseCircles('E', false);

/** Recursion is followed a few steps, which has to end somewhere: at an optional property. */
export const refuseEndless: Rule = refuseCircles('K, E through required properties', true);

/** @param isEndless whether circles through optional properties are allowed */
function refuseCircles(letter: string, isEndless: boolean): Rule {
  return {
    letter,
    shape: (node, draft) => {
      if (!isReference(node)) return node;
      const { source, recursion } = draft.rewriter;
      const { schema, path } = source.follow(node);
      if (recursion.isCyclic(path, schema, isEndless)) draft.refuseRecursion(referenceOf(node), isEndless);
      return node;
    },
  };
}

function withoutSiblings(node: PlainObject, draft: Draft): PlainObject {
  const { source } = draft.rewriter;
  const siblings = siblingsOf(node);
  for (const keyword of siblings) {
    const outcome = `${keyword} was removed: nothing may stand beside a $ref.`;
    draft.lose(keyword, 'dropped', outcome, source.placeOf(node, keyword));
  }
  return source.change(node, Object.fromEntries(siblings.map((keyword) => [keyword, undefined])));
}

function writeReference(draft: Draft): void {
  draft.put('$ref', '');
  draft.reference = draft.rewriter.source.follow(draft.node);
}

function writeDefinitions(draft: Draft, value: unknown): void {
  if (!isPlainObject(value)) return;
  const { source } = draft.rewriter;
  const entries = Object.entries(value).map(([name, schema]) => {
    const path = pathOfChild(draft, schema, pointTo(draft.placeOf('$defs'), name));
    if (draft.position.isRoot && source.definitionName(path) === name) draft.rewriter.define(path, name);
    return [name, draft.child(schema as RawSchema, path)];
  });
  draft.put('$defs', Object.fromEntries(entries));
}

/** Keywords that change their meaning when they come together with others. */
const ENTANGLED: readonly ReadonlySet<string>[] = [
  new Set(['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']),
  new Set(['items', 'prefixItems', 'unevaluatedItems']),
  new Set(['contains', 'minContains', 'maxContains']),
  new Set(['if', 'then', 'else']),
];

/** The keywords beside a reference that are not about references themselves. */
function siblingsOf(node: PlainObject): readonly string[] {
  return Object.keys(node).filter((keyword) => !keyword.startsWith('$'));
}

/** The target of a reference, joined with the keywords beside the reference. */
function inlineReference(node: PlainObject, draft: Draft): PlainObject {
  const { source } = draft.rewriter;
  const { schema, path } = source.follow(node);
  draft.rewriter.spend(path);
  const beside = source
    .partsOf(node)
    .filter(({ keyword }) => keyword !== '$ref' && keyword !== '$dynamicRef');
  if (schema === true) return source.derive(source.pathOf(node), beside);
  if (schema === false) {
    return source.derive(path, [...beside, { keyword: 'not', value: source.derive(path, []), place: path }]);
  }
  const target = source.partsOf(schema).filter(isCarried);
  const kept = target.filter(({ keyword }) => !(isAnnotation(keyword) && Object.hasOwn(node, keyword)));
  const added = beside.filter((part) => isAnnotation(part.keyword) || !hasPart(kept, part));
  if (isIndependent(kept, added)) return source.derive(path, [...kept, ...added]);
  return joined(draft, path, kept, beside);
}

/** Definitions and anchors stay behind: they are found by their place. */
function isCarried({ keyword }: Part): boolean {
  return !keyword.startsWith('$') || keyword === '$ref' || keyword === '$dynamicRef';
}

function hasPart(parts: readonly Part[], { keyword, value }: Part): boolean {
  return parts.some((part) => part.keyword === keyword && isSameJson(part.value, value));
}

function isIndependent(left: readonly Part[], right: readonly Part[]): boolean {
  const all = new Set(left.map(({ keyword }) => keyword));
  const others = right.map(({ keyword }) => keyword);
  if (others.some((keyword) => all.has(keyword))) return false;
  return ENTANGLED.every(
    (group) =>
      !others.some((keyword) => group.has(keyword)) || ![...group].some((keyword) => all.has(keyword)),
  );
}

/** Both, as objects that are merged if that loses nothing, else with an `allOf` whose rule decides. */
function joined(draft: Draft, path: string, target: readonly Part[], beside: readonly Part[]): PlainObject {
  const { source } = draft.rewriter;
  const outer = beside.filter(({ keyword }) => keyword.startsWith('$') || isAnnotation(keyword));
  const inner = beside.filter((part) => !outer.includes(part));
  const base = source.derive(path, [...outer, ...inner]);
  const referred = source.derive(path, target);
  const merged = joinObjects(base, [referred], draft);
  if (merged !== undefined) return merged;
  const branches = [referred, source.derive(path, inner)];
  return source.derive(path, [...outer, { keyword: 'allOf', value: branches, place: path }]);
}

/** A node with its references followed. */
export function resolved(branch: PlainObject, draft: Draft): PlainObject {
  const seen = new Set<PlainObject>();
  let node = branch;
  while (isReference(node)) {
    const target = draft.rewriter.source.follow(node).schema;
    if (!isPlainObject(target)) return inlineReference(node, draft);
    if (seen.has(target)) draft.refuseRecursion();
    seen.add(target);
    node = inlineReference(node, draft);
  }
  return node;
}

const MERGED = new Set(['type', 'properties', 'required']);

/** True for a schema that says no more than which properties an object has and which of them it needs. */
function isMergeable(node: PlainObject): boolean {
  return Object.entries(node).every(([keyword, value]) => {
    if (keyword === 'type') return value === 'object';
    return MERGED.has(keyword) || isAnnotation(keyword) || isIdentity(keyword);
  });
}

/** References to these are found by their place, so they need not come along. */
function isIdentity(keyword: string): boolean {
  return keyword.startsWith('$') && keyword !== '$ref' && keyword !== '$dynamicRef';
}

/**
 * One node with the properties of all, if it accepts the same values; else undefined. Annotations of the base win
 * over those of the branches.
 */
export function joinObjects(
  base: PlainObject,
  branches: readonly PlainObject[],
  { rewriter: { source } }: Draft,
): PlainObject | undefined {
  if (!branches.every(isMergeable) || !accepts(base, branches)) return undefined;
  const properties = joinProperties([base, ...branches]);
  if (properties === undefined) return undefined;
  const joined = new Map<string, Part>();
  for (const node of [base, ...branches]) {
    for (const part of source.partsOf(node)) {
      const isOwn = node === base || !isIdentity(part.keyword);
      if (isOwn && !joined.has(part.keyword)) joined.set(part.keyword, part);
    }
  }
  const required = joined.get('required');
  const held = joined.get('properties');
  if (required !== undefined)
    joined.set('required', { ...required, value: joinRequired([base, ...branches]) });
  if (held !== undefined) joined.set('properties', { ...held, value: properties });
  return source.derive(source.pathOf(base), [...joined.values()]);
}

/** A base of another type, or one that refuses properties it does not name, is changed by new properties. */
function accepts(base: PlainObject, branches: readonly PlainObject[]): boolean {
  if (base.type !== undefined && base.type !== 'object') return false;
  if (base.additionalProperties === undefined || base.additionalProperties === true) return true;
  return branches.every(
    ({ properties }) => isPlainObject(base.properties) && isCovered(properties, base.properties),
  );
}

function isCovered(properties: unknown, known: PlainObject): boolean {
  return !isPlainObject(properties) || Object.keys(properties).every((name) => Object.hasOwn(known, name));
}

function joinProperties(nodes: readonly PlainObject[]): PlainObject | undefined {
  const joined = new Map<string, unknown>();
  for (const { properties } of nodes) {
    if (!isPlainObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      if (joined.has(name) && !isSameJson(joined.get(name), schema)) return undefined;
      if (!joined.has(name)) joined.set(name, schema);
    }
  }
  return Object.fromEntries(joined);
}

function joinRequired(nodes: readonly PlainObject[]): readonly string[] {
  return [...new Set(nodes.flatMap(requiredOf))];
}

export function requiredOf({ required }: PlainObject): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}
