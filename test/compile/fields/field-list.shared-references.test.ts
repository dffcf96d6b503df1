import { expect, test } from '@jest/globals';
import { generateFlatSchema, mergeOutputSchemas } from '../tools/first-problem.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';

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
