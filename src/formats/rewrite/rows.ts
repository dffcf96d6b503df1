import { isPlainObject } from '../../shared/json.ts';

/** One line of the matrix: its name there, and its keywords. */
interface MatrixRow {
  readonly label: string;
  /** The keywords that `supportsFeature` knows by this row. */
  readonly features: readonly string[];
  /** Other keywords that follow the same rule. */
  readonly alike?: readonly string[];
}

function row<const Features extends readonly string[] = readonly []>(
  label: string,
  features?: Features,
  alike: readonly string[] = [],
): MatrixRow & { readonly features: Features } {
  return { label, features: features ?? ([] as unknown as Features), alike };
}

/** The lines of the matrix, in its order. Each target has one rule for each of them. */
export const ROWS = {
  rootUnion: row('root anyOf, oneOf'),
  rootAllOf: row('root allOf'),
  rootValue: row('root enum, const, not'),
  anyOf: row('nested anyOf', ['anyOf']),
  oneOf: row('nested oneOf -> anyOf', ['oneOf']),
  allOf: row('nested allOf', ['allOf']),
  logic: row('not, if/then/else, dependentRequired, dependentSchemas', [
    'not',
    'if',
    'then',
    'else',
    'dependentRequired',
    'dependentSchemas',
  ]),
  reference: row('local $ref, $defs', ['$ref', '$defs'], ['$dynamicRef', '$anchor', '$dynamicAnchor']),
  recursion: row('recursive $ref'),
  externalReference: row('external $ref'),
  typeArray: row('type as array', ['type']),
  nullable: row('nullable (OpenAPI style)', ['nullable']),
  optional: row('optional property'),
  additionalSchema: row('additionalProperties: schema or explicit true', ['additionalProperties']),
  additionalFalse: row('additionalProperties: false'),
  applicators: row('patternProperties, propertyNames, contains, min/maxContains, unevaluated*, content*', [
    'patternProperties',
    'propertyNames',
    'contains',
    'minContains',
    'maxContains',
    'unevaluatedItems',
    'unevaluatedProperties',
    'contentEncoding',
    'contentMediaType',
    'contentSchema',
  ]),
  missingItems: row('array without items'),
  prefixItems: row('prefixItems', ['prefixItems']),
  pattern: row('pattern', ['pattern']),
  format: row('format', ['format']),
  bounds: row('minimum, maximum', ['minimum', 'maximum']),
  exclusiveBounds: row('exclusiveMinimum, exclusiveMaximum', ['exclusiveMinimum', 'exclusiveMaximum']),
  multipleOf: row('multipleOf', ['multipleOf']),
  lengths: row('minLength, maxLength', ['minLength', 'maxLength']),
  minItems: row('minItems', ['minItems']),
  maxItems: row('maxItems', ['maxItems']),
  uniqueItems: row('uniqueItems', ['uniqueItems']),
  propertyCounts: row('minProperties, maxProperties', ['minProperties', 'maxProperties']),
  enumStrings: row('enum of strings', ['enum']),
  enumNumbers: row('enum with numbers'),
  enumBooleans: row('enum with booleans'),
  objectValues: row('enum or const with objects or arrays'),
  constString: row('const, string', ['const']),
  constNumber: row('const, number'),
  constBoolean: row('const, boolean or null'),
  default: row('default', ['default']),
  texts: row('title, description', ['title', 'description']),
  examples: row('examples', ['examples']),
  marks: row('deprecated, readOnly, writeOnly', ['deprecated', 'readOnly', 'writeOnly']),
  identity: row('$schema, $id, $comment', ['$schema', '$id', '$comment']),
  unknown: row('unknown keywords, x-*'),
  openValue: row('open value'),
} as const satisfies Readonly<Record<string, MatrixRow>>;

export type RowId = keyof typeof ROWS;

export const ROW_IDS = Object.freeze(Object.keys(ROWS) as RowId[]);

const ROW_OF = new Map(
  ROW_IDS.flatMap((id) => {
    const { features, alike = [] } = ROWS[id];
    return [...features, ...alike].map((keyword) => [keyword, id] as const);
  }),
);

/** The row that a keyword follows; what it depends on besides is its value and whether it stands at the root. */
export function rowOf(keyword: string, value: unknown, isRoot: boolean): RowId {
  const atRoot = isRoot ? ROOT_ROWS.get(keyword) : undefined;
  if (atRoot !== undefined) return atRoot;
  if (keyword === 'enum') return rowOfEnum(value);
  if (keyword === 'const') return rowOfConst(value);
  if (keyword === 'additionalProperties' && value === false) return 'additionalFalse';
  return ROW_OF.get(keyword) ?? 'unknown';
}

const ROOT_ROWS: ReadonlyMap<string, RowId> = new Map([
  ['anyOf', 'rootUnion'],
  ['oneOf', 'rootUnion'],
  ['allOf', 'rootAllOf'],
  ['enum', 'rootValue'],
  ['const', 'rootValue'],
  ['not', 'rootValue'],
]);

function rowOfEnum(value: unknown): RowId {
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  if (values.some(isContainer)) return 'objectValues';
  if (values.some((each) => typeof each === 'boolean' || each === null)) return 'enumBooleans';
  return values.some((each) => typeof each === 'number') ? 'enumNumbers' : 'enumStrings';
}

function rowOfConst(value: unknown): RowId {
  if (isContainer(value)) return 'objectValues';
  if (typeof value === 'number') return 'constNumber';
  return typeof value === 'string' ? 'constString' : 'constBoolean';
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isPlainObject(value);
}

/** A keyword of JSON Schema that the matrix of targets knows. */
export type SchemaFeature = (typeof ROWS)[keyof typeof ROWS]['features'][number];

/** Every keyword of the matrix, in its order. */
export const SCHEMA_FEATURES: readonly SchemaFeature[] = Object.freeze(
  ROW_IDS.flatMap((id): readonly SchemaFeature[] => ROWS[id].features),
);

/** The row of a keyword in a nested schema; `enum` and `const` mean strings. */
export function rowOfFeature(feature: string): RowId {
  return rowOf(feature, feature === 'enum' ? [''] : feature === 'const' ? '' : {}, false);
}
