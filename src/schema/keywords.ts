import { isPlainObject } from '../shared/json.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { canonicalJson } from '../shared/canonical-json.ts';

/** The dialects of JSON Schema that are understood. */
export type Dialect = '2020-12' | 'draft-07';

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const CURRENT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** The dialect that a schema declares; 2020-12 when it declares none, undefined for any other. */
export function dialectOf(schema: unknown): Dialect | undefined {
  const declared = isPlainObject(schema) ? schema.$schema : undefined;
  if (declared === undefined) return '2020-12';
  if (typeof declared !== 'string') return undefined;
  if (DRAFT_07.test(declared)) return 'draft-07';
  return CURRENT.test(declared) ? '2020-12' : undefined;
}

/** How a keyword holds schemas. `dependencies` of draft-07 maps to schemas or to lists of names. */
type SchemaHolder = 'schema' | 'list' | 'map' | 'schema-or-list' | 'dependencies';

/** The types whose values keywords are about. */
type KeywordSubject = 'object' | 'array' | 'string' | 'number';

/** The facts about a keyword that do not depend on its value. */
interface KeywordFacts {
  /** Absent where it holds data: a `$ref` below `enum`, `const`, `default` or `examples` is not a reference. */
  readonly holds?: SchemaHolder;
  /** Absent where it is about values of any type. */
  readonly about?: KeywordSubject;
  /** True where the schemas that it holds are about the same value as the schema around them. */
  readonly isInPlace?: boolean;
  /** The dialects in which it takes part in validation. */
  readonly checkedBy?: readonly Dialect[];
  /** For annotations: whether it is only for people, or also defines the meaning of a value. */
  readonly annotates?: 'people' | 'values';
}

const BOTH: readonly Dialect[] = ['2020-12', 'draft-07'];
const NEW: readonly Dialect[] = ['2020-12'];
const OLD: readonly Dialect[] = ['draft-07'];

/** Every keyword of JSON Schema 2020-12 and draft-07 that is about values, and `nullable` of OpenAPI. */
const KEYWORDS: ReadonlyMap<string, KeywordFacts> = new Map<string, KeywordFacts>([
  ['type', { checkedBy: BOTH }],
  ['enum', { checkedBy: BOTH }],
  ['const', { checkedBy: BOTH }],
  ['format', { checkedBy: BOTH }],
  ['nullable', { checkedBy: BOTH }],

  ['allOf', { holds: 'list', isInPlace: true, checkedBy: BOTH }],
  ['anyOf', { holds: 'list', isInPlace: true, checkedBy: BOTH }],
  ['oneOf', { holds: 'list', isInPlace: true, checkedBy: BOTH }],
  ['not', { holds: 'schema', isInPlace: true, checkedBy: BOTH }],
  ['if', { holds: 'schema', isInPlace: true, checkedBy: BOTH }],
  ['then', { holds: 'schema', isInPlace: true, checkedBy: BOTH }],
  ['else', { holds: 'schema', isInPlace: true, checkedBy: BOTH }],

  ['properties', { holds: 'map', about: 'object', checkedBy: BOTH }],
  ['patternProperties', { holds: 'map', about: 'object', checkedBy: BOTH }],
  ['additionalProperties', { holds: 'schema', about: 'object', checkedBy: BOTH }],
  ['unevaluatedProperties', { holds: 'schema', about: 'object', checkedBy: NEW }],
  ['propertyNames', { holds: 'schema', about: 'object', checkedBy: BOTH }],
  ['required', { about: 'object', checkedBy: BOTH }],
  ['minProperties', { about: 'object', checkedBy: BOTH }],
  ['maxProperties', { about: 'object', checkedBy: BOTH }],
  ['dependentRequired', { about: 'object', checkedBy: NEW }],
  ['dependentSchemas', { holds: 'map', about: 'object', isInPlace: true, checkedBy: NEW }],
  ['dependencies', { holds: 'dependencies', about: 'object', isInPlace: true, checkedBy: BOTH }],

  ['items', { holds: 'schema-or-list', about: 'array', checkedBy: BOTH }],
  ['prefixItems', { holds: 'list', about: 'array', checkedBy: NEW }],
  ['additionalItems', { holds: 'schema', about: 'array', checkedBy: OLD }],
  ['unevaluatedItems', { holds: 'schema', about: 'array', checkedBy: NEW }],
  ['contains', { holds: 'schema', about: 'array', checkedBy: BOTH }],
  ['minContains', { about: 'array', checkedBy: NEW }],
  ['maxContains', { about: 'array', checkedBy: NEW }],
  ['minItems', { about: 'array', checkedBy: BOTH }],
  ['maxItems', { about: 'array', checkedBy: BOTH }],
  ['uniqueItems', { about: 'array', checkedBy: BOTH }],

  ['pattern', { about: 'string', checkedBy: BOTH }],
  ['minLength', { about: 'string', checkedBy: BOTH }],
  ['maxLength', { about: 'string', checkedBy: BOTH }],
  ['contentEncoding', { about: 'string' }],
  ['contentMediaType', { about: 'string' }],
  ['contentSchema', { holds: 'schema', about: 'string' }],

  ['minimum', { about: 'number', checkedBy: BOTH }],
  ['maximum', { about: 'number', checkedBy: BOTH }],
  ['exclusiveMinimum', { about: 'number', checkedBy: BOTH }],
  ['exclusiveMaximum', { about: 'number', checkedBy: BOTH }],
  ['multipleOf', { about: 'number', checkedBy: BOTH }],

  ['title', { annotates: 'people' }],
  ['description', { annotates: 'people' }],
  ['examples', { annotates: 'people' }],
  ['$comment', { annotates: 'people' }],
  ['default', { annotates: 'values' }],
  ['deprecated', { annotates: 'values' }],
  ['readOnly', { annotates: 'values' }],
  ['writeOnly', { annotates: 'values' }],

  ['$defs', { holds: 'map' }],
  ['definitions', { holds: 'map' }],
]);

/** How the keyword holds schemas; undefined for one that holds none. */
export function holderOf(keyword: string): SchemaHolder | undefined {
  return KEYWORDS.get(keyword)?.holds;
}

/** The type that the keyword is about; undefined for one that is about any. */
export function subjectOf(keyword: string): KeywordSubject | undefined {
  return KEYWORDS.get(keyword)?.about;
}

/** True where the schemas in the keyword are about the value that the schema around them is about. */
export function isInPlace(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.isInPlace === true;
}

/** True where the keyword takes part in validation, on its own or through the schemas in it. */
export function isChecked(keyword: string, dialect: Dialect): boolean {
  return KEYWORDS.get(keyword)?.checkedBy?.includes(dialect) === true;
}

/** True for keywords that accept or refuse nothing. */
export function isAnnotation(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.annotates !== undefined;
}

/** True for annotations that are only for people. */
export function isDescriptive(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.annotates === 'people';
}

/** True when a value of the schema may be left out even if it is required. */
export function hasDefault(schema: JsonSchema): boolean {
  return schema.default !== undefined || (schema.allOf ?? []).some(hasDefault);
}

/** A schema without the annotations at its root. */
export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword)));
}

/** The annotations of several declarations: the first description, and the other annotations on which all agree. */
export function mergeAnnotations(schemas: readonly JsonSchema[]): JsonSchema {
  const described = schemas.find(({ description }) => hasText(description));
  const merged = new Map<string, unknown>();
  if (described !== undefined) merged.set('description', described.description);
  for (const [keyword, value] of Object.entries(schemas[0] ?? {})) {
    if (!isAnnotation(keyword) || keyword === 'description') continue;
    const identity = canonicalJson(value);
    if (schemas.every((schema) => canonicalJson(schema[keyword]) === identity)) merged.set(keyword, value);
  }
  return Object.fromEntries(merged);
}

function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}
