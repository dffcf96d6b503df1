import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { holderOf, type Dialect } from './keywords.ts';
import { fragmentOf, pointTo, tokensOf } from './pointer.ts';
import { decodeFragment } from './references.ts';
import { mapHeld } from './subschemas.ts';

/** A keyword in the vocabulary of 2020-12, and the keyword it is written under. */
export interface UpgradedKeyword {
  readonly keyword: string;
  readonly value: unknown;
  readonly written: string;
}

/** Draft-07 ignores keywords beside a `$ref`; these assert nothing, and texts are worth keeping. */
const BESIDE_REFERENCE = new Set(['$ref', '$defs', 'definitions', '$schema', 'title', 'description']);

/** The keywords of one schema as 2020-12 calls them. A schema of 2020-12 may use the older names as well. */
export function upgradeKeywords(schema: PlainObject, dialect: Dialect): readonly UpgradedKeyword[] {
  const isReference = dialect === 'draft-07' && Object.hasOwn(schema, '$ref');
  return Object.entries(schema)
    .filter(([keyword]) => !isReference || BESIDE_REFERENCE.has(keyword))
    .flatMap(([keyword, value]) => upgradeKeyword(schema, keyword, value, dialect));
}

function upgradeKeyword(
  schema: PlainObject,
  keyword: string,
  value: unknown,
  dialect: Dialect,
): readonly UpgradedKeyword[] {
  if (keyword === 'definitions') return [{ keyword: '$defs', value, written: keyword }];
  if (keyword === 'items' && Array.isArray(value))
    return [{ keyword: 'prefixItems', value, written: keyword }];
  if (keyword === 'additionalItems' && Array.isArray(schema.items)) {
    return [{ keyword: 'items', value, written: keyword }];
  }
  // Beside an `items` that is not a list it has no meaning
  if (keyword === 'additionalItems' && dialect === 'draft-07') return [];
  if (keyword === 'dependencies' && isPlainObject(value)) return splitDependencies(value);
  return [{ keyword, value, written: keyword }];
}

function splitDependencies(dependencies: PlainObject): readonly UpgradedKeyword[] {
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, dependency]) => Array.isArray(dependency));
  const schemas = entries.filter(([, dependency]) => !Array.isArray(dependency));
  return [
    { keyword: 'dependentRequired', value: Object.fromEntries(required), written: 'dependencies' },
    { keyword: 'dependentSchemas', value: Object.fromEntries(schemas), written: 'dependencies' },
  ].filter(({ value }) => Object.keys(value).length > 0);
}

/**
 * A schema of an older draft, or in the words of OpenAPI 3.0, in those of 2020-12. The meaning stays, and so does what is
 * written in 2020-12 already.
 */
export function upgradeSchema(root: PlainObject, dialect: Dialect): PlainObject {
  const upgrade = (schema: unknown): unknown => {
    if (!isPlainObject(schema)) return schema;
    const upgraded: Record<string, unknown> = {};
    for (const { keyword, value } of upgradeKeywords(schema, dialect)) {
      const held = keyword === '$ref' ? upgradeReference(root, value) : mapHeld(keyword, value, upgrade);
      // `definitions` beside `$defs`
      const known = upgraded[keyword];
      upgraded[keyword] = isPlainObject(known) && isPlainObject(held) ? { ...held, ...known } : held;
    }
    return fromOpenApi(withAnchor(upgraded, dialect));
  };
  return upgrade(root) as PlainObject;
}

/** Draft-07 names a place by an `$id` that is a fragment. */
function withAnchor({ $id, ...rest }: PlainObject, dialect: Dialect): PlainObject {
  if ($id === undefined) return rest;
  const isAnchor = dialect === 'draft-07' && typeof $id === 'string' && /^#[A-Za-z_]/.test($id);
  return isAnchor ? { ...rest, $anchor: $id.slice(1) } : { $id, ...rest };
}

/** `exclusiveMinimum: true` (also of draft-04), `nullable` and `example`. */
function fromOpenApi(schema: PlainObject): PlainObject {
  return withNullable(withExamples(withBound(withBound(schema, 'Minimum'), 'Maximum')));
}

function withBound(schema: PlainObject, bound: 'Minimum' | 'Maximum'): PlainObject {
  const exclusive = `exclusive${bound}`;
  if (typeof schema[exclusive] !== 'boolean') return schema;
  const inclusive = bound.toLowerCase();
  const { [exclusive]: isExclusive, [inclusive]: limit, ...rest } = schema;
  if (limit === undefined) return rest;
  return { ...rest, [isExclusive === true ? exclusive : inclusive]: limit };
}

function withExamples(schema: PlainObject): PlainObject {
  if (!Object.hasOwn(schema, 'example')) return schema;
  const { example, ...rest } = schema;
  return { ...rest, examples: rest['examples'] ?? [example] };
}

/** OpenAPI 3.0: null is accepted beside the type. A `nullable` beside no type says nothing. */
function withNullable(schema: PlainObject): PlainObject {
  if (typeof schema['nullable'] !== 'boolean') return schema;
  const { nullable, ...rest } = schema;
  if (!nullable) return rest;
  const { type, enum: values, ...others } = rest;
  if (type === undefined)
    return ['$ref', 'allOf', 'anyOf', 'oneOf'].some((one) => one in rest) ? orNull(rest) : rest;
  // a constant, and schemas that apply in place, would refuse it
  if (['const', 'allOf', 'anyOf', 'oneOf', 'not', '$ref'].some((one) => one in rest)) return orNull(rest);
  const types = [...new Set([type, 'null'].flat())];
  if (!Array.isArray(values)) return { type: types, ...others };
  return { type: types, enum: [...new Set([...(values as readonly unknown[]), null])], ...others };
}

const ABOUT = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

function orNull(schema: PlainObject): PlainObject {
  const entries = Object.entries(schema);
  const said = entries.filter(([keyword]) => ABOUT.has(keyword));
  const rest = entries.filter(([keyword]) => !ABOUT.has(keyword));
  return { ...Object.fromEntries(said), anyOf: [Object.fromEntries(rest), { type: 'null' }] };
}

/** A reference into a document whose keywords have other names now. */
function upgradeReference(root: PlainObject, reference: unknown): unknown {
  if (typeof reference !== 'string') return reference;
  const { $id } = root;
  const isAbsolute =
    typeof $id === 'string' && $id !== '' && reference.startsWith(`${$id.replace(/#$/, '')}#`);
  const local = isAbsolute ? reference.slice(reference.indexOf('#')) : reference;
  const pointer = local.startsWith('#/') ? decodeFragment(local.slice(1)) : undefined;
  if (pointer === undefined) return local;
  const upgraded = upgradePointer(root, pointer);
  return upgraded === pointer ? local : fragmentOf(upgraded);
}

function upgradePointer(root: PlainObject, pointer: string): string {
  const tokens = [...(tokensOf(pointer) ?? [])];
  const path: string[] = [];
  let current: unknown = root;
  for (let keyword = tokens.shift(); keyword !== undefined; keyword = tokens.shift()) {
    const schema = isPlainObject(current) ? current : {};
    const held = schema[keyword];
    path.push(upgradedName(schema, keyword, held));
    current = held;
    const holder = holderOf(keyword);
    const isList = Array.isArray(held);
    if (!isList && (holder === undefined || holder === 'schema' || holder === 'schema-or-list')) continue;
    const [member] = tokens.splice(0, 1);
    if (member === undefined) break;
    path.push(member);
    current = (held as PlainObject | undefined)?.[member];
  }
  return pointTo('', ...path);
}

function upgradedName(schema: PlainObject, keyword: string, held: unknown): string {
  if (keyword === 'definitions') return '$defs';
  if (keyword === 'items' && Array.isArray(held)) return 'prefixItems';
  if (keyword === 'additionalItems' && Array.isArray(schema.items)) return 'items';
  return keyword === 'dependencies' ? 'dependentSchemas' : keyword;
}
