import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { brief, write, writeProperty, type Json } from '../../convert.ts';
import { oddSamples } from '../../schema-arbitrary.ts';

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

  test('is the item of a list without items for OpenAI with strict, and any item without', () => {
    for (const schema of [{ type: 'array' }, { type: 'array', prefixItems: [{ type: 'string' }] }]) {
      const { value, names, warnings } = writeProperty('openai-strict', schema);
      expect(value).toMatchObject({ type: 'array', items: { type: 'string' } });
      expect(brief(warnings)).toContain('open-value /inputSchema/properties/value transformed');
      expect(names.decodeArguments('probe', { value: ['{"a":1}'] })).toEqual({ value: [{ a: 1 }] });
      const loose = writeProperty('openai', schema);
      expect(loose.value).toEqual({ ...schema, items: {} });
      expect(loose.warnings).toEqual([]);
    }
  });

  test.each(['openai', 'openai-strict', 'gemini-openapi', 'gemini-json'] as const)(
    'is in no list that leaves its items out in %s',
    (column) => {
      const property = fc.property(oddSamples, ({ schema }) => {
        expect(listsWithoutItems(write(column, schema).schema)).toEqual([]);
      });
      fc.assert(property, { numRuns: 60 });
    },
  );

  test('leaves the items of a list to its alternatives', () => {
    const alternatives = [{ items: { type: 'integer' } }, { minItems: 2 }];
    const { value, names } = writeProperty('openai-strict', { type: 'array', anyOf: alternatives });
    expect(value).toEqual({
      anyOf: [
        { type: 'array', items: { type: 'integer' } },
        { type: 'array', minItems: 2, items: { type: 'string', description: 'JSON text is expected.' } },
      ],
    });
    expect(names.decodeArguments('probe', { value: [1] })).toEqual({ value: [1] });
  });

  test('any item of a list is reported where the rest of its items was refused', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false };
    expect(brief(writeProperty('openai', tuple).warnings)).toEqual([
      'unevaluatedItems /inputSchema/properties/value/unevaluatedItems transformed',
    ]);
  });

  test('is required but not declared', () => {
    const { schema, warnings } = write(
      'openai-strict',
      object({ a: { type: 'string' } }, { required: ['b', 'a'] }),
    );
    expect(schema.properties).toMatchObject({ b: { type: 'string' } });
    expect(brief(warnings)).toEqual(['open-value /inputSchema transformed']);
  });
});

describe('an open value among alternatives', () => {
  const text = { type: 'string' };
  const anObject = { type: 'object' };

  test.each<readonly [string, readonly Json[], Json]>([
    ['after a text', [text, anObject], {}],
    ['before a text', [anObject, text], {}],
    ['in a list of alternatives', [text, { anyOf: [{ type: 'integer' }, anObject] }], {}],
    ['behind a reference', [text, { $ref: '#/$defs/Any' }], { Any: anObject }],
    ['as a listed value', [text, { const: { a: [1] } }], {}],
  ])('comes back %s, and so does the text', (_place, anyOf, defs) => {
    const { names } = writeProperty('openai-strict', { anyOf }, defs);
    const decode = (value: unknown): unknown => names.decodeArguments('probe', { value });
    expect(decode('{"a":[1]}')).toEqual({ value: { a: [1] } });
    expect(decode('plain')).toEqual({ value: 'plain' });
    expect(decode('5')).toEqual({ value: '5' });
  });

  test('is not read as a value that its schema refuses', () => {
    const { names } = writeProperty('openai-strict', { type: ['object', 'string'] });
    expect(names.decodeArguments('probe', { value: '5' })).toEqual({ value: '5' });
    expect(names.decodeArguments('probe', { value: '{"a":1}' })).toEqual({ value: { a: 1 } });
  });
});

describe.each(['openai-strict', 'anthropic-strict'] as const)('a listed object or list for %s', (column) => {
  test.each<readonly [Json, string, readonly unknown[]]>([
    [{ const: { z: 1 } }, 'const', [{ z: 1 }]],
    [{ enum: [[1, 2], { z: [null] }, 'x', 7] }, 'enum', [[1, 2], { z: [null] }, 'x', 7]],
    [{ type: 'object', properties: { z: {} }, required: ['z'], const: { z: 1 } }, 'const', [{ z: 1 }]],
    [{ type: 'array', items: { type: 'integer' }, enum: [[], [1]] }, 'enum', [[], [1]]],
    [{ enum: [{ z: 1 }, null] }, 'enum', [{ z: 1 }, null]],
  ])('is one of a few texts, which come back as what they stand for: %j', (schema, keyword, values) => {
    const { value, warnings, names } = writeProperty(column, { ...schema, description: 'One of few.' });
    const texts = values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
    expect(value).toEqual({
      description: 'One of few.',
      enum: texts,
      ...(column === 'openai-strict' && { type: 'string' }),
    });
    expect(brief(warnings)).toEqual([`${keyword} /inputSchema/properties/value/${keyword} transformed`]);
    const decoded = texts.map((each) => names.decodeArguments('probe', { value: each }));
    expect(decoded).toEqual(values.map((each) => ({ value: each })));
  });
});

test('a listed object is a text in the alternatives of an object as well', () => {
  const { value } = writeProperty('openai-strict', { type: 'object', anyOf: [{ const: { z: 1 } }] });
  expect(value).toEqual({ anyOf: [{ type: 'string', enum: ['{"z":1}'] }] });
});

describe('a missing type', () => {
  test('is the one that the keywords are about, with a warning', () => {
    const { value, warnings } = writeProperty('openai-strict', { pattern: '^a' });
    expect(value).toEqual({ type: 'string', pattern: '^a' });
    expect(brief(warnings)).toEqual(['type /inputSchema/properties/value transformed']);
  });

  test('is not a loss when listed values say it', () => {
    const { value, warnings } = writeProperty('gemini-openapi', { enum: ['a', 'b'] });
    expect(value).toEqual({ type: 'STRING', enum: ['a', 'b'] });
    expect(warnings).toEqual([]);
  });

  test('is not a loss in an alternative of a typed value', () => {
    const { value, warnings } = writeProperty('openai-strict', {
      type: 'string',
      anyOf: [{ pattern: 'a' }, { pattern: 'b' }],
    });
    expect(value).toEqual({ type: 'string', anyOf: [{ pattern: 'a' }, { pattern: 'b' }] });
    expect(warnings).toEqual([]);
  });
});

function listsWithoutItems(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, items, prefixItems } = value as Json;
  const isList = [type].flat().some((each) => each === 'array' || each === 'ARRAY');
  const isBare = isList && items === undefined && prefixItems === undefined;
  return [...(isBare ? [value] : []), ...Object.values(value).flatMap(listsWithoutItems)];
}

test('a property that nothing fits is removed', () => {
  const { schema, warnings } = write(
    'openai-strict',
    object({ a: { type: 'string' }, never: false }, { required: ['a'] }),
  );
  expect(Object.keys(schema.properties as Json)).toEqual(['a']);
  expect(warnings).toEqual([]);
  expect(write('openai', object({ never: false })).schema.properties).toEqual({ never: false });
});
