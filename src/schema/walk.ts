import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { pointTo } from './pointer.ts';
import { holderOf } from './keywords.ts';

/** A schema inside a schema. */
export interface SchemaPlace {
  readonly schema: PlainObject | boolean;
  /** An RFC 6901 pointer from the root. */
  readonly path: string;
  /** The pointer to the innermost schema around it with an `$id` of its own: what `#` means here. */
  readonly base: string;
}

/**
 * Every schema inside a schema, itself first, in document order. Without recursion, so that no depth exhausts the stack.
 *
 * What is not a schema, though it stands where one belongs, is passed over.
 */
export function* walkSchema(root: unknown, path = '', base = path): Generator<SchemaPlace> {
  const open: { readonly schema: unknown; readonly path: string; readonly base: string }[] = [
    { schema: root, path, base },
  ];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { schema } = place;
    if (typeof schema === 'boolean') yield { schema, path: place.path, base: place.base };
    if (!isPlainObject(schema)) continue;
    const own = startsResource(schema) ? place.path : place.base;
    yield { schema, path: place.path, base: own };
    open.push(
      ...childrenOf(schema, place.path)
        .map((child) => ({ ...child, base: own }))
        .reverse(),
    );
  }
}

/** An `$id` that is more than a fragment makes its schema a document of its own. */
function startsResource({ $id }: PlainObject): boolean {
  return typeof $id === 'string' && $id !== '' && !$id.startsWith('#');
}

interface Child {
  readonly schema: unknown;
  readonly path: string;
}

function childrenOf(schema: PlainObject, path: string): readonly Child[] {
  return Object.entries(schema).flatMap(([keyword, value]) => heldBy(keyword, value, pointTo(path, keyword)));
}

/** The schemas that a keyword holds, and where. */
export function heldBy(keyword: string, value: unknown, path: string): readonly Child[] {
  const holder = holderOf(keyword);
  if (holder === undefined) return [];
  if (holder === 'schema') return [{ schema: value, path }];
  if (Array.isArray(value)) {
    return value.map((schema: unknown, position) => ({ schema, path: pointTo(path, position) }));
  }
  if (holder === 'schema-or-list') return [{ schema: value, path }];
  if (!isPlainObject(value)) return [];
  // The list of names that `dependencies` may hold is not a schema, and is passed over.
  return Object.entries(value).map(([name, schema]) => ({ schema, path: pointTo(path, name) }));
}
