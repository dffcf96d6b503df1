import { expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { upgradeSchema } from '../../src/schema/upgrade.ts';

const ANCHORED = {
  definitions: { Tag: { $id: '#tag', type: 'string', minLength: 2 } },
  properties: { a: { $ref: '#/definitions/Tag' }, b: { $ref: '#tag' } },
};
const POINTING = {
  properties: { pair: { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false } },
  additionalProperties: { $ref: '#/properties/pair/items/1' },
};

/** A schema of draft-07, and values that it accepts or refuses. */
const OLD: readonly (readonly [string, object, readonly unknown[]])[] = [
  ['definitions and anchors', ANCHORED, [{ a: 'xx' }, { a: 'x' }, { b: 'x' }, { b: 'xx' }]],
  [
    'tuples, and references into them',
    POINTING,
    [{ pair: ['a', 1] }, { pair: [1] }, { pair: ['a', 1, 2] }, { c: 'x' }, { c: 1 }],
  ],
  [
    'dependencies',
    { dependencies: { a: ['b'], c: { required: ['d'] } } },
    [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }],
  ],
  [
    'words beside a reference',
    { properties: { a: { $ref: '#/definitions/T', minLength: 9 } }, definitions: { T: { type: 'string' } } },
    [{ a: 'x' }, { a: 1 }],
  ],
  [
    'further items beside one schema',
    { properties: { a: { items: { type: 'string' }, additionalItems: false } } },
    [{ a: ['x', 'y'] }, { a: [1] }],
  ],
];

test.each(OLD)('%s mean in 2020-12 what they meant in draft-07', (_, schema, values) => {
  // oxlint-disable-next-line typescript/no-deprecated -- what draft-07 says of keywords beside `$ref`
  const before = new Ajv({ strict: false, ignoreKeywordsWithRef: true, logger: false }).compile(
    structuredClone(schema),
  );
  const upgraded = upgradeSchema(schema as Record<string, unknown>, 'draft-07');
  const after = new Ajv2020({ strict: false }).compile(upgraded);
  for (const value of values) expect([value, after(value)]).toEqual([value, before(value)]);
  expect(JSON.stringify(upgraded)).not.toMatch(/definitions|additionalItems|dependencies/);
});

test.each<readonly [string, object, object]>([
  ['an exclusive bound', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
  ['an inclusive bound', { maximum: 9, exclusiveMaximum: false }, { maximum: 9 }],
  ['a nullable type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'a nullable list of values',
    { type: 'string', enum: ['a'], nullable: true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'a nullable reference',
    { $ref: '#/x', nullable: true, title: 'T' },
    { title: 'T', anyOf: [{ $ref: '#/x' }, { type: 'null' }] },
  ],
  ['what is not nullable', { type: 'string', nullable: false }, { type: 'string' }],
  ['an example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }],
  [
    'a field called nullable',
    { properties: { nullable: { type: 'boolean' } } },
    { properties: { nullable: { type: 'boolean' } } },
  ],
])('reads %s of OpenAPI', (_, given, upgraded) => {
  expect(upgradeSchema(given as Record<string, unknown>, '2020-12')).toEqual(upgraded);
});
