import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { isSameJson } from '../../shared/canonical-json.ts';
import type { Draft } from './draft.ts';
import type { Part } from './source-schema.ts';

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** True for a keyword that no value can break. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

const MERGED = new Set(['type', 'properties', 'required']);

/** True for a schema that says no more than which properties an object has and which of them it needs. */
export function isMergeable(node: PlainObject): boolean {
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

export function joinRequired(nodes: readonly PlainObject[]): readonly string[] {
  return [...new Set(nodes.flatMap(requiredOf))];
}

export function requiredOf({ required }: PlainObject): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}
