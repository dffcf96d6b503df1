import { pointTo } from '../../../schema/pointer.ts';
import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { fits } from '../decode.ts';
import type { Draft } from '../draft.ts';
import { joinObjects, requiredOf, resolved } from '../inline-reference.ts';
import type { Rule } from './rule.ts';

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

function pathOf(draft: Draft, key: string): string {
  const schema = isPlainObject(draft.node.properties) ? draft.node.properties[key] : undefined;
  return isPlainObject(schema)
    ? draft.rewriter.source.pathOf(schema)
    : pointTo(draft.placeOf('properties'), key);
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
  const isMoved = (name: string): boolean =>
    ['type', 'properties', 'required', 'additionalProperties'].includes(name);
  const parts = source.partsOf(node);
  const moved = parts.filter(({ keyword: name }) => isMoved(name));
  const joined = branches.map((branch) => {
    const base = source.derive(source.pathOf(branch), moved);
    return joinObjects(base, [resolved(branch, draft)], draft);
  });
  if (joined.includes(undefined)) return node;
  const outer = parts.filter(({ keyword: name }) => !isMoved(name));
  return source.derive(
    source.pathOf(node),
    outer.map((part) => (part.keyword === keyword ? { ...part, value: joined } : part)),
  );
}
