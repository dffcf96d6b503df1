import type { Json } from './convert.ts';

/** One schema that shows a row of the matrix. */
export interface Probe {
  /** The label of the row. */
  readonly row: string;
  readonly keyword: string;
  /** The schema of a property; or of the arguments, for a row about the root. */
  readonly schema: unknown;
  readonly at?: 'root' | 'property';
  readonly defs?: Json;
  /** Which of "a / b" this probe shows; the first by default. */
  readonly picks?: (options: readonly string[], column: string) => string;
  /** What else is warned of: rules about what stands around or below. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
  /** Another name than the keyword in the warning. */
  readonly feature?: string;
}

const string = (more: Json): Json => ({ type: 'string', ...more });
const number = (more: Json): Json => ({ type: 'number', ...more });
const integer = (more: Json): Json => ({ type: 'integer', ...more });
const list = (more: Json): Json => ({ type: 'array', items: { type: 'string' }, ...more });
const object = (more: Json): Json => ({
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  ...more,
});
const branch = (name: string): Json => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});
const last = (options: readonly string[]): string => options.at(-1) ?? '';

const keyworded = (row: string, make: (more: Json) => Json, keywords: Json): readonly Probe[] =>
  Object.entries(keywords).map(([keyword, value]) => ({ row, keyword, schema: make({ [keyword]: value }) }));

/** At least one probe for each row; for "a / b" one for each side. */
export const PROBES: readonly Probe[] = [
  ...['anyOf', 'oneOf'].map((keyword) => ({
    row: 'root anyOf, oneOf',
    keyword,
    at: 'root' as const,
    schema: { type: 'object', properties: { k: { type: 'string' } }, [keyword]: [branch('a'), branch('b')] },
  })),
  {
    row: 'root allOf',
    keyword: 'allOf',
    at: 'root',
    schema: { type: 'object', allOf: [branch('a'), branch('b')] },
  },
  {
    row: 'root allOf',
    keyword: 'allOf',
    at: 'root',
    schema: { ...object({}), allOf: [{ minProperties: 1 }] },
    picks: last,
    also: { 'gemini-json': ['minProperties described'] },
  },
  ...Object.entries({ enum: [{ a: 'x' }], const: { a: 'x' }, not: { required: ['b'] } }).map(
    ([keyword, value]) => ({
      row: 'root enum, const, not',
      keyword,
      at: 'root' as const,
      schema: { ...object({}), [keyword]: value },
    }),
  ),
  { row: 'nested anyOf', keyword: 'anyOf', schema: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
  {
    row: 'nested oneOf -> anyOf',
    keyword: 'oneOf',
    schema: { oneOf: [{ type: 'string' }, { type: 'number' }] },
  },
  { row: 'nested allOf', keyword: 'allOf', schema: { type: 'object', allOf: [branch('a'), branch('b')] } },
  {
    row: 'nested allOf',
    keyword: 'allOf',
    schema: { type: 'string', allOf: [{ minLength: 1 }] },
    picks: last,
    also: { 'anthropic-strict': ['minLength described'] },
  },
  ...keyworded('not, if/then/else, dependentRequired, dependentSchemas', object, {
    not: { required: ['b'] },
    if: { required: ['b'] },
    then: { required: ['c'] },
    else: { required: ['d'] },
    dependentRequired: { a: ['b'] },
    dependentSchemas: { a: { required: ['b'] } },
  }),
  {
    row: 'local $ref, $defs',
    keyword: '$ref',
    schema: { $ref: '#/$defs/A' },
    defs: { A: { type: 'string' } },
  },
  {
    row: 'recursive $ref',
    keyword: '$ref',
    schema: { $ref: '#/$defs/A' },
    defs: {
      A: {
        type: 'object',
        properties: { v: { type: 'string' }, next: { $ref: '#/$defs/A' } },
        required: ['v', 'next'],
      },
    },
    picks: (_options, column) => (column === 'gemini-json' ? 'E' : ''),
  },
  { row: 'external $ref', keyword: '$ref', schema: { $ref: 'https://example.com/a.json' } },
  { row: 'type as array', keyword: 'type', schema: { type: ['string', 'null'] } },
  { row: 'nullable (OpenAPI style)', keyword: 'nullable', schema: string({ nullable: true }) },
  ...[{ type: 'string' }, true].map((value) => ({
    row: 'additionalProperties: schema or explicit true',
    keyword: 'additionalProperties',
    schema: object({ additionalProperties: value }),
    picks: (_options: readonly string[], column: string) =>
      column === 'gemini-openapi' && value === true ? 't' : '',
  })),
  {
    row: 'additionalProperties: false',
    keyword: 'additionalProperties',
    schema: object({ additionalProperties: false }),
  },
  ...[
    ...keyworded('', object, {
      patternProperties: { '^x': { type: 'string' } },
      propertyNames: { pattern: '^[a-z]' },
    }),
    ...keyworded('', object, { unevaluatedProperties: false }),
    ...keyworded('', list, {
      contains: { type: 'string' },
      minContains: 1,
      maxContains: 2,
      unevaluatedItems: false,
    }),
    ...keyworded('', string, {
      contentEncoding: 'base64',
      contentMediaType: 'image/png',
      contentSchema: { type: 'string' },
    }),
  ].map((probe) => ({
    ...probe,
    row: 'patternProperties, propertyNames, contains, min/maxContains, unevaluated*, content*',
  })),
  {
    row: 'prefixItems',
    keyword: 'prefixItems',
    schema: { type: 'array', prefixItems: [{ type: 'string' }] },
    also: { 'openai-strict': ['open-value transformed'], 'gemini-openapi': ['open-value transformed'] },
  },
  { row: 'array without items', keyword: 'items', schema: { type: 'array' }, feature: 'open-value' },
  ...keyworded('pattern', string, { pattern: '^a' }),
  ...keyworded('format', string, { format: 'date-time' }),
  { row: 'format', keyword: 'format', schema: string({ format: 'iri' }), picks: last },
  ...keyworded('minimum, maximum', number, { minimum: 1, maximum: 9 }),
  ...keyworded('exclusiveMinimum, exclusiveMaximum', integer, { exclusiveMinimum: 1, exclusiveMaximum: 9 }),
  ...keyworded('exclusiveMinimum, exclusiveMaximum', number, {
    exclusiveMinimum: 1,
    exclusiveMaximum: 9,
  }).map((probe) => ({ ...probe, picks: last })),
  ...keyworded('multipleOf', number, { multipleOf: 2 }),
  ...keyworded('minLength, maxLength', string, { minLength: 1, maxLength: 9 }),
  ...keyworded('minItems', list, { minItems: 1 }),
  { row: 'minItems', keyword: 'minItems', schema: list({ minItems: 2 }), picks: last },
  ...keyworded('maxItems', list, { maxItems: 9 }),
  ...keyworded('uniqueItems', list, { uniqueItems: true }),
  ...keyworded('minProperties, maxProperties', object, { minProperties: 1, maxProperties: 9 }),
  ...keyworded('enum of strings', string, { enum: ['a', 'b'] }),
  ...keyworded('enum with numbers', integer, { enum: [1, 2] }),
  { row: 'enum with booleans', keyword: 'enum', schema: { type: 'boolean', enum: [true] } },
  {
    row: 'enum or const with objects or arrays',
    keyword: 'enum',
    schema: { ...object({}), enum: [{ a: 'x' }] },
  },
  {
    row: 'enum or const with objects or arrays',
    keyword: 'const',
    schema: { ...object({}), const: { a: 'x' } },
  },
  ...keyworded('const, string', string, { const: 'a' }),
  ...keyworded('const, number', integer, { const: 5 }),
  { row: 'const, boolean or null', keyword: 'const', schema: { type: 'boolean', const: true } },
  { row: 'const, boolean or null', keyword: 'const', schema: { type: 'null', const: null } },
  ...keyworded('default', string, { default: 'a' }),
  ...keyworded('title, description', string, { title: 'A', description: 'An a.' }),
  ...keyworded('examples', string, { examples: ['a'] }),
  { row: 'examples', keyword: 'examples', schema: string({ examples: ['a', 'b'] }), picks: last },
  ...keyworded('deprecated, readOnly, writeOnly', string, {
    deprecated: true,
    readOnly: true,
    writeOnly: true,
  }),
  ...keyworded('$schema, $id, $comment', string, { $comment: 'why' }),
  {
    row: '$schema, $id, $comment',
    keyword: '$schema',
    at: 'root',
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...object({}) },
  },
  {
    row: '$schema, $id, $comment',
    keyword: '$id',
    at: 'root',
    schema: { $id: 'https://example.com/s', ...object({}) },
  },
  ...keyworded('unknown keywords, x-*', string, { 'x-order': 1, frobnicate: true }),
  { row: 'open value', keyword: 'value', schema: {}, feature: 'open-value' },
  { row: 'open value', keyword: 'value', schema: true, feature: 'open-value' },
];
