import { pointTo } from '../../../schema/pointer.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { fits } from '../decode.ts';
import { pathOfChild, type Draft } from '../draft.ts';
import { joinObjects, requiredOf, resolved } from './reference-rules.ts';
import { propertiesOf } from '../types.ts';
import type { Rule } from './rule.ts';

/** Writes the properties, which no row of the matrix is about, under keys that the target allows. */
export function writeProperties(draft: Draft, keyword: string, value: unknown): void {
  const entries = Object.entries(value as Readonly<Record<string, RawSchema>>);
  const present = entries.filter(([, schema]) => !isRemoved(draft, schema));
  const renamed = new Map<string, string>();
  const emitted = present.map(([name, schema]) => {
    const path = pathOf(draft, name);
    const key = draft.keys.of(name);
    if (key !== name) {
      renamed.set(key, name);
      draft.lose('propertyName', 'transformed', `the property "${name}" is called "${key}".`, path);
    }
    return [key, draft.child(schema, path)] as const;
  });
  draft.put(keyword, Object.fromEntries(emitted));
  if (renamed.size > 0) draft.note = { ...draft.note, keys: renamed };
}

/** A property that nothing fits is the same as none, where no schema can say `false`. */
function isRemoved(draft: Draft, schema: unknown): boolean {
  return schema === false && draft.rewriter.target.rules.openValue.letter !== 'K';
}

/** Writes the names of the required properties as they are emitted. */
export function writeRequired(draft: Draft, keyword: string, value: unknown): void {
  if (!Array.isArray(value)) return;
  const schemas = propertiesOf(draft.node);
  const names = value
    .map(String)
    .filter((name) => !Object.hasOwn(schemas, name) || !isRemoved(draft, schemas[name]));
  draft.put(keyword, [...new Set(names.map((name) => draft.keys.of(name)))]);
}

/** D, then false: every object names all of its members. */
export const closeObjects: Rule = {
  letter: 'D, then false',
  write: (draft, keyword, value) => {
    draft.describe(keyword, value);
    draft.put(keyword, false);
  },
  finish: ({ out }) => {
    if (isObject(out)) out.set('additionalProperties', false);
  },
};

/** X, and t where it only says what is so anyway. */
export const dropAdditional: Rule = {
  letter: 'X (true: t)',
  write: (draft, keyword, value) => {
    if (value !== true) draft.drop(keyword);
  },
};

/** t: every property is required, and null stands for one that is absent. */
export const requireAll: Rule = {
  letter: 't',
  finish: (draft) => {
    const { out, node, rewriter } = draft;
    if (!isObject(out)) return;
    const properties = (out.get('properties') ?? {}) as Record<string, unknown>;
    const required = new Set(requiredOf(node).map((name) => draft.keys.of(name)));
    const optional = Object.keys(properties).filter((key) => !required.has(key));
    out.set('properties', properties);
    out.set('required', Object.keys(properties));
    const absentAsNull = new Set<string>();
    draft.note = { ...draft.note, absentAsNull };
    const paths = optional.map((key) => [key, pathOf(draft, key)] as const);
    rewriter.finally((root) => {
      for (const [key, path] of paths) {
        if (admitNull(draft, { properties, key, path, root })) absentAsNull.add(key);
      }
    });
  },
};

function isObject(out: ReadonlyMap<string, unknown>): boolean {
  const type = out.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || out.has('properties');
}

function pathOf(draft: Draft, name: string): string {
  const properties = propertiesOf(draft.node);
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return pathOfChild(draft, schema, pointTo(draft.placeOf('properties'), name));
}

interface OptionalProperty {
  readonly properties: Record<string, unknown>;
  readonly key: string;
  readonly path: string;
  readonly root: PlainObject;
}

/** True when null was added; the null of a schema that has one of its own is a value. */
function admitNull(draft: Draft, { properties, key, path, root }: OptionalProperty): boolean {
  const schema = properties[key];
  if (!isPlainObject(schema)) return false;
  if (fits(schema, null, root)) {
    draft.lose('required', 'transformed', 'absence can no longer be said: null is a value here.', path);
    return false;
  }
  Object.defineProperty(properties, key, { value: orNull(draft, schema), enumerable: true });
  return true;
}

function orNull(draft: Draft, schema: PlainObject): PlainObject {
  const { notes } = draft.rewriter;
  const isPlain =
    typeof schema.type === 'string' && !Object.hasOwn(schema, 'enum') && !Object.hasOwn(schema, 'const');
  if (!isPlain) return { anyOf: [schema, { type: 'null' }] };
  const wrapped = { ...schema, type: [schema.type, 'null'] };
  const note = notes.get(schema);
  if (note !== undefined) notes.set(wrapped, note);
  return wrapped;
}

/** K; an object with alternatives is moved into each of them, because closed objects cannot share their properties. */
export function distribute(node: PlainObject, draft: Draft): PlainObject {
  const keyword = Object.hasOwn(node, 'anyOf') ? 'anyOf' : 'oneOf';
  const branches = node[keyword];
  if (!Array.isArray(branches) || !isPlainObject(node.properties) || !branches.every(isPlainObject))
    return node;
  const { source } = draft.rewriter;
  draft.rewriter.spend(draft.path, branches.length * Object.keys(node.properties).length);
  const moved = source.partsOf(node).filter((part) => OF_OBJECTS.includes(part.keyword));
  const joined = branches.map((branch) => {
    const base = source.derive(source.pathOf(branch), moved);
    return joinObjects(base, [resolved(branch, draft)], draft);
  });
  if (joined.includes(undefined)) return node;
  const left = Object.fromEntries(OF_OBJECTS.map((name) => [name, undefined]));
  return source.change(node, { ...left, [keyword]: joined });
}

const OF_OBJECTS = ['type', 'properties', 'required', 'additionalProperties'];
