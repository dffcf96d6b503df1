import { describe, expect, test } from '@jest/globals';
import { brief, write, writeProperty, type Json } from './convert.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });

describe('an open value', () => {
  test('is a text that holds JSON, and is parsed again', () => {
    const { schema, names } = write(
      'openai-strict',
      object({ any: {}, map: { type: 'object' } }, { required: ['any', 'map'] }),
    );
    expect(schema.properties).toEqual({
      any: { type: 'string', description: 'JSON text is expected.' },
      map: { type: 'string', description: 'JSON text of an object is expected.' },
    });
    expect(names.decodeArguments('probe', { any: '[1]', map: '{"a":1}' })).toEqual({
      any: [1],
      map: { a: 1 },
    });
    expect(names.decodeArguments('probe', { any: 'plain', map: { a: 1 } })).toEqual({
      any: 'plain',
      map: { a: 1 },
    });
  });

  test('says what its members are', () => {
    const schema = {
      type: 'object',
      additionalProperties: { type: 'number' },
      minProperties: 1,
      description: 'Prices.',
    };
    const { value, warnings } = writeProperty('gemini-openapi', schema);
    expect(value).toEqual({
      type: 'STRING',
      description:
        'Prices.\n\nJSON text of an object is expected.\n\nConstraints: {"additionalProperties":{"type":"number"},"minProperties":1}',
    });
    expect(brief(warnings)).toEqual([
      'open-value /inputSchema/properties/value transformed',
      'minProperties /inputSchema/properties/value/minProperties described',
    ]);
  });

  test('stays an object in the JSON Schema of Gemini', () => {
    const { value, warnings } = writeProperty('gemini-json', {
      type: 'object',
      additionalProperties: { type: 'number' },
    });
    expect(value).toEqual({ type: 'object', additionalProperties: { type: 'number' } });
    expect(warnings).toEqual([]);
  });

  test('is not what refuses all members', () => {
    expect(writeProperty('openai-strict', { type: 'object', additionalProperties: false }).value).toEqual({
      ...object({}),
      additionalProperties: false,
      required: [],
    });
  });

  test.each(['gemini-openapi', 'gemini-json'] as const)(
    'is the item of a list without items in %s',
    (column) => {
      const { value, warnings, names } = writeProperty(column, { type: 'array' });
      expect(value.items).toMatchObject({ description: 'JSON text is expected.' });
      expect(brief(warnings)).toEqual(['open-value /inputSchema/properties/value transformed']);
      expect(names.decodeArguments('probe', { value: ['1', '"a"'] })).toEqual({ value: [1, 'a'] });
    },
  );

  test('is what is required but not declared', () => {
    const { schema, warnings } = write(
      'openai-strict',
      object({ a: { type: 'string' } }, { required: ['b', 'a'] }),
    );
    expect(schema.properties).toMatchObject({ b: { type: 'string' } });
    expect(brief(warnings)).toEqual(['open-value /inputSchema transformed']);
  });
});

describe('a missing type', () => {
  test('is the one that the keywords are about, with a warning', () => {
    const { value, warnings } = writeProperty('openai-strict', { pattern: '^a' });
    expect(value).toEqual({ type: 'string', pattern: '^a' });
    expect(brief(warnings)).toEqual(['type /inputSchema/properties/value transformed']);
  });

  test('is no loss when listed values say it', () => {
    const { value, warnings } = writeProperty('gemini-openapi', { enum: ['a', 'b'] });
    expect(value).toEqual({ type: 'STRING', enum: ['a', 'b'] });
    expect(warnings).toEqual([]);
  });

  test('is no loss in an alternative of a typed value', () => {
    const { value, warnings } = writeProperty('openai-strict', {
      type: 'string',
      anyOf: [{ pattern: 'a' }, { pattern: 'b' }],
    });
    expect(value).toEqual({ type: 'string', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] });
    expect(warnings).toEqual([]);
  });
});

test('a property that nothing fits is removed', () => {
  const { schema, warnings } = write(
    'openai-strict',
    object({ a: { type: 'string' }, never: false }, { required: ['a'] }),
  );
  expect(Object.keys(schema.properties as Json)).toEqual(['a']);
  expect(warnings).toEqual([]);
  expect(write('openai', object({ never: false })).schema.properties).toEqual({ never: false });
});
