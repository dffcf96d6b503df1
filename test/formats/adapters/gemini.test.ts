import { describe, expect, test } from '@jest/globals';
import { defaultRegistry, geminiAdapter } from 'toolwright/formats';
import { brief, write, writeProperty, type Json } from '../convert.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });

describe('the field parameters', () => {
  test('has types in capitals, counts as text, and one type each', () => {
    const { value, warnings } = writeProperty('gemini-openapi', {
      type: ['string', 'integer', 'null'],
      minLength: 1,
      maximum: 9,
      description: 'An id.',
    });
    expect(value).toEqual({
      description: 'An id.',
      anyOf: [
        { type: 'STRING', minLength: '1' },
        { type: 'INTEGER', maximum: 9 },
      ],
      nullable: true,
    });
    expect(warnings).toEqual([]);
  });

  test('has listed values as texts, which come back as they were', () => {
    const { schema, names } = write(
      'gemini-openapi',
      object({
        level: { type: 'integer', enum: [1, 2], minimum: 1 },
        on: { const: true },
        mixed: { enum: ['1', 1, null] },
      }),
    );
    expect(schema.properties).toEqual({
      level: { type: 'STRING', enum: ['1', '2'] },
      on: { type: 'STRING', enum: ['true'] },
      mixed: {
        anyOf: [
          { type: 'STRING', enum: ['1'] },
          { type: 'STRING', enum: ['1'] },
        ],
        nullable: true,
      },
    });
    expect(names.decodeArguments('probe', { level: '2', on: 'true', mixed: null })).toEqual({
      level: 2,
      on: true,
      mixed: null,
    });
  });

  test('finds the alternative of a null', () => {
    const inner = object({ n: { enum: [1] }, 'a b': { type: 'string' } });
    const { names } = write(
      'gemini-openapi',
      object({ x: { anyOf: [{ ...inner, type: ['object', 'null'] }, { type: 'number' }] } }),
    );
    expect(names.decodeArguments('probe', { x: null })).toEqual({ x: null });
    const list = object({
      x: {
        anyOf: [
          object({ v: { type: ['string', 'null'] }, 'k k': { type: 'string' } }, { required: ['v'] }),
          { type: 'null' },
        ],
      },
    });
    const written = write('gemini-openapi', list);
    expect(written.names.decodeArguments('probe', { x: { v: null, k_k: 'a' } })).toEqual({
      x: { v: null, 'k k': 'a' },
    });
  });

  test('is read back: capitals or not, numbers or texts, nullable and example', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        a: { type: 'string', nullable: true, minLength: '2', maxLength: 5, example: 'abc' },
        b: { type: 'ARRAY', items: { type: 'STRING', enum: ['x'], nullable: true }, minItems: '1' },
        c: { anyOf: [{ type: 'STRING' }], nullable: true },
      },
      required: ['a'],
    };
    expect(geminiAdapter.toCanonical({ name: 'f', parameters }).inputSchema).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], minLength: 2, maxLength: 5, examples: ['abc'] },
        b: { type: 'array', items: { type: ['string', 'null'], enum: ['x', null] }, minItems: 1 },
        c: { anyOf: [{ anyOf: [{ type: 'string' }] }, { type: 'null' }] },
      },
      required: ['a'],
    });
  });

  test('has the same schema after a round trip', () => {
    const schema = object(
      {
        a: { type: ['string', 'null'], minLength: 2 },
        b: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, maxItems: 3 },
        c: { type: ['string', 'null'], enum: ['x', null] },
        d: { type: 'number', minimum: 1.5 },
      },
      { required: ['a'] },
    );
    const { tool, warnings } = write('gemini-openapi', schema);
    expect(warnings).toEqual([]);
    expect(geminiAdapter.toCanonical(tool).inputSchema).toEqual(schema);
  });
});

describe('bounds', () => {
  test('of integers become inclusive', () => {
    const { value } = writeProperty('gemini-json', {
      type: 'integer',
      exclusiveMinimum: 1.5,
      minimum: 0,
      exclusiveMaximum: 9,
    });
    expect(value).toEqual({ type: 'integer', minimum: 2, maximum: 8 });
  });
});

describe('property keys', () => {
  test('are safe at every depth, and come back', () => {
    const schema = object(
      {
        'a-b': object({ '1st': { type: 'string' } }, { required: ['1st'] }),
        'a b': { type: 'string' },
        a_b: { type: 'number' },
      },
      { required: ['a-b', 'a b'], propertyOrdering: ['a b', 'a_b', 'a-b'] },
    );
    const { schema: emitted, names, warnings } = write('gemini-json', schema);
    const [first = '', second = '', third = ''] = Object.keys(emitted.properties as Json);
    expect(third).toBe('a_b');
    for (const key of [first, second]) expect(key).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(emitted.required).toEqual([first, second]);
    expect(emitted.propertyOrdering).toEqual([second, third, first]);
    const args = { [first]: { _1st: 'x' }, [second]: 'y', a_b: 1 };
    expect(names.decodeArguments('probe', args)).toEqual({ 'a-b': { '1st': 'x' }, 'a b': 'y', a_b: 1 });
    expect(brief(warnings)).toEqual([
      'propertyName /inputSchema/properties/a b transformed',
      'propertyName /inputSchema/properties/a-b transformed',
      'propertyName /inputSchema/properties/a-b/properties/1st transformed',
    ]);
  });

  test('are changed at the root only in Anthropic', () => {
    const inner = object({ 'x y': { type: 'string' } });
    const { schema } = write(
      'anthropic',
      object({ 'a b': inner }, { dependentRequired: { 'a b': ['c d'] } }),
    );
    expect(schema).toEqual({ ...object({ a_b: inner }), dependentRequired: { a_b: ['c_d'] } });
  });
});

describe('a function without arguments', () => {
  test.each([{ type: 'object' }, { type: 'object', properties: {}, additionalProperties: false }, true])(
    'has no parameters: %j',
    (schema) => {
      const { tool, warnings } = write('gemini-json', schema);
      expect(tool).toEqual({ functionDeclarations: [{ name: 'probe' }] });
      expect(warnings).toEqual([]);
    },
  );

  test.each([
    { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { type: 'object', oneOf: [{ minProperties: 1 }, { maxProperties: 4 }] },
    { type: 'object', allOf: [{ additionalProperties: { type: 'string' } }] },
    { type: 'object', additionalProperties: { type: 'string' } },
  ])('has none in the OpenAPI form, whatever else its schema says: %j', (schema) => {
    const { tool, warnings } = write('gemini-openapi', schema);
    expect(tool).toEqual({ functionDeclarations: [{ name: 'probe' }] });
    expect(warnings).not.toEqual([]);
    expect(write('gemini-json', schema).schema).not.toEqual({});
  });

  test('still says what it loses', () => {
    const { warnings } = write('gemini-openapi', { type: 'object', minProperties: 1 });
    expect(brief(warnings)).toEqual(['minProperties /inputSchema/minProperties dropped']);
  });
});

test('results follow the matrix, and the two fields of a pair exclude each other', () => {
  const outputSchema = object({
    n: { type: 'integer', exclusiveMinimum: 0 },
    u: { type: 'string', default: 'x' },
  });
  const tool = { name: 'f', inputSchema: object({ a: { type: 'string' } }), outputSchema };
  const json = defaultRegistry().convert(tool, 'mcp', 'gemini');
  expect(json.tool).toEqual({
    functionDeclarations: [
      {
        name: 'f',
        parametersJsonSchema: tool.inputSchema,
        responseJsonSchema: object({
          n: { type: 'integer', minimum: 1 },
          u: { type: 'string', description: 'Constraints: {"default":"x"}' },
        }),
      },
    ],
  });
  expect(brief(json.warnings)).toEqual(['default /outputSchema/properties/u/default described']);
  const openApi = defaultRegistry().convert(tool, 'mcp', 'gemini', { schema: 'parameters' }).tool as Json;
  expect(Object.keys((openApi.functionDeclarations as Json[])[0] ?? {})).toEqual([
    'name',
    'parameters',
    'response',
  ]);
});
