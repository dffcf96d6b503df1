import type { JsonSchema } from '../../../src/shared/json-schema.ts';

const string = { type: 'string' };
const nullish = { type: 'null' };

/** The rule, what the actions declare, and what is published of it. */
export const mergeTable: readonly [string, readonly JsonSchema[], JsonSchema][] = [
  [
    'equal enums stay',
    [
      { ...string, enum: ['a', 'b'] },
      { ...string, enum: ['b', 'a'] },
    ],
    { ...string, enum: ['a', 'b'] },
  ],
  [
    'different enums unite in order of appearance',
    [
      { ...string, enum: ['b', 'a'] },
      { ...string, enum: ['c', 'a'] },
    ],
    { ...string, enum: ['b', 'a', 'c'] },
  ],
  [
    'a literal counts as an enum of one',
    [
      { ...string, const: 'a' },
      { ...string, enum: ['b'] },
    ],
    { ...string, enum: ['a', 'b'] },
  ],
  ['literals without a type unite', [{ const: 'a' }, { const: 'b' }], { ...string, enum: ['a', 'b'] }],
  ['equal literals stay', [{ const: 'a' }, { const: 'a' }], { const: 'a' }],
  [
    'a union of literals is an enum',
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { ...string, enum: ['c'] }],
    { ...string, enum: ['a', 'b', 'c'] },
  ],
  ['an enum and an unrestricted type become unrestricted', [{ ...string, enum: ['a'] }, string], string],
  ['integer and number become number', [{ type: 'integer' }, { type: 'number' }], { type: 'number' }],
  ['number and integer become number', [{ type: 'number' }, { type: 'integer' }], { type: 'number' }],
  [
    'nullable and plain become nullable',
    [string, { type: ['string', 'null'] }],
    { type: ['string', 'null'] },
  ],
  [
    'type lists compare as sets',
    [{ type: ['null', 'string'] }, { type: ['string', 'null'] }],
    { type: ['null', 'string'] },
  ],
  [
    'two nullable forms are no conflict',
    [{ type: ['string', 'null'] }, { anyOf: [string, nullish] }],
    { type: ['string', 'null'] },
  ],
  [
    'two equal nullable unions stay',
    [{ anyOf: [string, nullish] }, { anyOf: [string, nullish] }],
    { anyOf: [string, nullish] },
  ],
  [
    'unions in another order are no conflict',
    [{ anyOf: [nullish, string] }, { anyOf: [string, nullish] }],
    { type: ['null', 'string'] },
  ],
  [
    'the wider union wins',
    [{ type: 'number' }, { type: ['string', 'number'] }],
    { type: ['string', 'number'] },
  ],
  [
    'a nullable integer and a number become a nullable number',
    [{ type: ['integer', 'null'] }, { type: 'number' }],
    { type: ['number', 'null'] },
  ],
  [
    'nullable enums unite',
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { ...string, enum: ['b'] },
    ],
    { type: ['string', 'null'], enum: ['a', 'b', null] },
  ],
  [
    'a null literal is only null',
    [{ anyOf: [string, { const: null }] }, string],
    { type: ['string', 'null'] },
  ],
  [
    'a different format is dropped',
    [
      { ...string, format: 'date' },
      { ...string, format: 'uri' },
    ],
    string,
  ],
  [
    'a different pattern is dropped',
    [
      { ...string, pattern: '^a', minLength: 2 },
      { ...string, pattern: '^b', minLength: 2 },
    ],
    { ...string, minLength: 2 },
  ],
  [
    'a bound that only one has is dropped',
    [
      { type: 'integer', minimum: 1, maximum: 5 },
      { type: 'integer', minimum: 1 },
    ],
    { type: 'integer', minimum: 1 },
  ],
  [
    'a different default is dropped',
    [
      { ...string, default: 'a' },
      { ...string, default: 'b' },
    ],
    string,
  ],
  [
    'an equal format stays',
    [
      { ...string, format: 'date' },
      { ...string, format: 'date', minLength: 1 },
    ],
    { ...string, format: 'date' },
  ],
  [
    'array items follow the same rules',
    [
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: { type: 'number' } },
    ],
    { type: 'array', items: { type: 'number' } },
  ],
  [
    'array items without a schema are any',
    [{ type: 'array', items: string }, { type: 'array' }],
    { type: 'array' },
  ],
  [
    'different tuples lose their items',
    [
      { type: 'array', prefixItems: [string] },
      { type: 'array', items: string },
    ],
    { type: 'array' },
  ],
  ['any and anything become any', [{}, string], {}],
  ['any settles a conflict of others', [string, { type: 'number' }, {}], {}],
  ['true is any', [string, { anyOf: [string, {}] }], {}],
  [
    'one declaration with all types settles the others',
    [string, { type: 'number' }, { type: ['number', 'string'] }],
    { type: ['number', 'string'] },
  ],
  [
    'a type and an array of it widen to the union that has both',
    [string, { anyOf: [string, { type: 'array', items: string }] }],
    { type: ['string', 'array'], items: string },
  ],
];
