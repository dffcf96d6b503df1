import { expect, test } from '@jest/globals';
import { ownRequiredFields, requiredFields } from '../../../src/compile/fields/field-list.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { generateFlatSchema, mergeOutputSchemas } from '../tools/first-problem.ts';
import { fields } from '../tools/make-facts.ts';

function flatten(schema: JsonSchema) {
  const { properties = {}, required, $defs = {} } = generateFlatSchema([schema]);
  return { properties, required, $defs };
}

const string = { type: 'string' };

test('finds the fields that cannot be left out, in the order of the properties', () => {
  const schema = {
    ...fields({ b: string, 'c?': string, a: { type: ['string', 'null'] } }),
    required: ['a', 'b'],
  };
  expect(requiredFields(schema)).toEqual(['b', 'a']);
  expect(requiredFields(undefined)).toEqual([]);
});

test('does not count a field with a default', () => {
  expect(requiredFields(fields({ a: { ...string, default: '' }, b: string }))).toEqual(['b']);
});

test.each<[string, JsonSchema, readonly string[]]>([
  [
    'an intersection requires what any part requires',
    { allOf: [fields({ a: string }), fields({ b: string })] },
    ['a', 'b'],
  ],
  [
    'a union requires what every branch requires',
    { anyOf: [fields({ a: string, b: string }), fields({ b: string })] },
    ['b'],
  ],
  [
    'a choice of required fields requires none',
    { ...fields({ 'a?': string, 'b?': string }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    [],
  ],
  [
    'a condition requires what both outcomes require',
    { ...fields({ a: string }), if: {}, then: fields({ b: string, c: string }), else: fields({ c: string }) },
    ['a', 'c'],
  ],
  [
    'a reference requires what its target requires',
    { $ref: '#/definitions/A', definitions: { A: fields({ a: string }) } },
    ['a'],
  ],
  [
    'branches that are no objects do not count',
    { anyOf: [fields({ a: string }), { type: 'null' }, false as unknown as JsonSchema] },
    ['a'],
  ],
  ['a name may be required without being described', { type: 'object', required: ['x'] }, ['x']],
])('%s', (_, schema, required) => {
  expect(requiredFields(schema)).toEqual(required);
});

test('leaves out of an action what the common schema always requires', () => {
  expect(ownRequiredFields(fields({ a: string, 'b?': string }), ['a', 'b', 'c'])).toEqual(['b', 'c']);
});

test('flattening keeps the fields of all branches and the base type where a branch only refines', () => {
  const flat = flatten({
    ...fields({ kind: { type: 'string', enum: ['a', 'b'] } }),
    oneOf: [fields({ kind: { const: 'a' }, x: string }), { properties: { y: string } }],
  });
  expect(flat.properties).toEqual({ kind: { type: 'string', enum: ['a', 'b'] }, x: string, y: string });
  expect(flat.required).toEqual(['kind']);
});

test('flattening keeps only the definitions of recursive types', () => {
  const flat = flatten(
    fields(
      { a: { $ref: '#/$defs/Plain' }, b: { $ref: '#/$defs/Even', description: 'Even' } },
      {
        $defs: {
          Plain: string,
          Even: fields({ 'odd?': { $ref: '#/$defs/Odd' } }),
          Odd: fields({ 'even?': { $ref: '#/$defs/Even' }, 'text?': { $ref: '#/$defs/Plain' } }),
          Unused: fields({ 'self?': { $ref: '#/$defs/Unused' } }),
        },
      },
    ),
  );
  expect(flat.properties).toEqual({ a: string, b: { $ref: '#/$defs/Even', description: 'Even' } });
  expect(Object.keys(flat.$defs)).toEqual(['Even', 'Odd']);
  expect(flat.$defs['Odd']?.properties?.['text']).toEqual(string);
});

test('flattening takes a field or value named $ref for what it is', () => {
  const schema = fields({
    $ref: string,
    at: { const: { $ref: '#/nowhere' } },
    'to?': { default: { $ref: 'x' } },
  });
  expect(flatten(schema).properties).toEqual(schema.properties);
});

test('flattening follows pointers, anchors and the id of the schema', () => {
  const flat = flatten({
    $id: 'https://example.org/a',
    ...fields({
      a: { type: 'array', items: { ...string, minLength: 1 } },
      b: { $ref: '#/properties/a/items' },
      c: { $ref: '#word' },
      d: { $ref: 'https://example.org/a#/$defs/A~1B' },
      e: { $ref: '#word', maxLength: 3 },
    }),
    $defs: { W: { $anchor: 'word', type: 'string' }, 'A/B': { type: 'number' } },
  });
  expect(flat.properties).toMatchObject({
    b: { type: 'string', minLength: 1 },
    c: { type: 'string' },
    d: { type: 'number' },
    e: { allOf: [{ type: 'string' }, { maxLength: 3 }] },
  });
});

test('flattening survives types that are only themselves', () => {
  const loop = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } };
  expect(flatten(loop)).toEqual({ properties: {}, required: [], $defs: {} });
});

/** Each level refers to the next one twice. */
function ladder(levels: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { Leaf: { type: 'string', maxLength: 100 } };
  for (let level = 1; level < levels; level += 1) {
    const $ref = level === levels - 1 ? '#/$defs/Leaf' : `#/$defs/Level${level + 1}`;
    $defs[`Level${level}`] = { type: 'object', properties: { left: { $ref }, right: { $ref } } };
  }
  const $ref = '#/$defs/Level1';
  return { type: 'object', properties: { left: { $ref }, right: { $ref } }, $defs };
}

test('a schema whose types use each other keeps its references where it would grow too large', () => {
  const schema = generateFlatSchema([ladder(24)]);
  expect(JSON.stringify(schema).length).toBeLessThan(4_000);
  expect(schema.properties?.['left']).toEqual({ $ref: '#/$defs/Level1' });
  expect(Object.keys(schema.$defs ?? {})).toHaveLength(24);
});

test('a small one has no references', () => {
  const schema = generateFlatSchema([ladder(4)]);
  expect(schema).not.toHaveProperty('$defs');
  expect(JSON.stringify(schema)).not.toContain('$ref');
});

const node = (name: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  type: 'object',
  properties: { text: { type: 'string' }, child: { $ref: `#/$defs/${name}` }, ...more },
});
const tree = (field: string, ...names: readonly [string, JsonSchema][]): JsonSchema => ({
  type: 'object',
  properties: { [field]: { $ref: `#/$defs/${names[0]?.[0] ?? ''}` } },
  $defs: Object.fromEntries(names),
});

test('a recursive type is one definition, whatever it is called in its sources', () => {
  const schema = generateFlatSchema([
    tree('a', ['Node', node('Node')]),
    tree('b', ['Node_2', node('Node_2')]),
    tree('c', ['Tree', node('Tree')]),
  ]);
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Node']);
  expect(schema.properties?.['c']).toEqual({ $ref: '#/$defs/Node' });
});

test('types that refer to each other are one pair, wherever one enters it', () => {
  const person = { type: 'object', properties: { home: { $ref: '#/$defs/House' } } };
  const house = { type: 'object', properties: { owner: { $ref: '#/$defs/Person' } } };
  const output = mergeOutputSchemas([
    { key: 'x', schema: tree('a', ['Person', person], ['House', house]) },
    { key: 'y', schema: tree('b', ['House', house], ['Person', person]) },
  ]);
  expect(Object.keys(output?.$defs ?? {}).sort()).toEqual(['House', 'Person']);
});

test('different types of one name are numbered from the plain name', () => {
  const schema = generateFlatSchema([
    tree('a', ['Node', node('Node')]),
    tree('b', ['Node', node('Node', { x: { type: 'integer' } })]),
    tree('c', ['Node_2', node('Node_2', { y: { type: 'integer' } })]),
  ]);
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Node', 'Node_2', 'Node_3']);
});
