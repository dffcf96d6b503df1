import { expect, test } from '@jest/globals';
import { generateSchema } from './first-problem.ts';
import type { JsonSchema } from '../../../src/shared/json-schema.ts';
import { descriptionsOf, fields, makeAction, makeTool, problemOf } from './make-facts.ts';

const string = { type: 'string' };
const number = { type: 'number' };

test('flattens an action whose schema is a union: a field is required when every branch requires it', () => {
  const own = {
    type: 'object',
    oneOf: [
      fields({ kind: { const: 'city' }, name: string, 'zip?': string }),
      fields({ kind: { const: 'point' }, name: string, lat: number }),
    ],
  } as const;
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
  expect(schema.properties).toMatchObject({
    kind: { type: 'string', enum: ['city', 'point'], description: 'Required for: go' },
    name: { type: 'string', description: 'Required for: go' },
    zip: { type: 'string', description: 'For: go' },
    lat: { type: 'number', description: 'For: go' },
  });
});

test('flattens intersections and references at the root of an action', () => {
  const own = {
    type: 'object',
    allOf: [{ $ref: '#/$defs/Base' }, fields({ b: number })],
    $defs: { Base: fields({ a: string }) },
  } as const;
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(Object.keys(schema)).toEqual(['type', 'properties', 'required']);
  expect(descriptionsOf(schema)).toMatchObject({ a: 'Required for: go', b: 'Required for: go' });
});

test('writes references out where no type contains itself', () => {
  const own = fields({ at: { $ref: '#/$defs/Place' } }, { $defs: { Place: fields({ city: string }) } });
  const schema = generateSchema(makeTool([makeAction('go', { own })]));
  expect(schema.$defs).toBeUndefined();
  expect(schema.properties?.['at']).toEqual({ ...fields({ city: string }), description: 'Required for: go' });
});

test('keeps a recursive type under $defs and renames a different one of the same name', () => {
  const tree = (name: string, value: JsonSchema) =>
    fields(
      { [name]: { $ref: '#/$defs/Input' } },
      {
        $defs: { Input: fields({ value, 'children?': { type: 'array', items: { $ref: '#/$defs/Input' } } }) },
      },
    );
  const schema = generateSchema(
    makeTool([
      makeAction('a', { own: tree('root', string) }),
      makeAction('b', { own: tree('other', number) }),
      makeAction('c', { own: tree('root', string) }),
    ]),
  );
  expect(Object.keys(schema.$defs ?? {})).toEqual(['Input', 'Input_2']);
  expect(schema.properties?.['root']).toMatchObject({ $ref: '#/$defs/Input' });
  expect(schema.properties?.['other']).toMatchObject({ $ref: '#/$defs/Input_2' });
  expect(schema.$defs?.['Input_2']?.properties?.['children']).toEqual({
    type: 'array',
    items: { $ref: '#/$defs/Input_2' },
  });
});

test('makes a definition of an action schema that refers to its own root', () => {
  const own = fields({ name: string, 'parts?': { type: 'array', items: { $ref: '#' } } });
  const schema = generateSchema(makeTool([makeAction('a', { own })]));
  expect(schema.properties?.['parts']).toMatchObject({ items: { $ref: '#/$defs/Input' } });
  expect(Object.keys(schema.$defs?.['Input']?.properties ?? {})).toEqual(['name', 'parts']);
});

test('names the action whose schema refers to nothing', () => {
  const tool = makeTool([makeAction('a', { own: fields({ x: { $ref: '#/$defs/Lost' } }) })]);
  const { code, message } = problemOf(() => generateSchema(tool));
  expect(code).toBe('TW_COMPILE_SCHEMA_REFERENCE');
  expect(message).toContain('action "a"');
  expect(message).toContain('#/$defs/Lost');
});
