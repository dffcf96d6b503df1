import { describe, expect, test } from '@jest/globals';
import { ConversionError } from 'toolwright/formats';
import { brief, write, writeProperty, type Json } from '../convert.ts';
import { errorOf } from '../../support/thrown.ts';
import { COLUMNS } from '../decided-matrix.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

describe('describing', () => {
  test('sorts the keywords, whatever their order', () => {
    const first = writeProperty('anthropic-strict', {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: 'Age in years.',
    });
    expect(first.value.description).toBe('Age in years.\n\nConstraints: {"maximum":9,"minimum":1}');
  });

  test('leaves out the largest values beyond 1000 characters, and reports them as dropped', () => {
    const long = 'x'.repeat(990);
    const { value, warnings } = writeProperty('openai-strict', {
      type: 'string',
      default: long,
      minLength: 2,
    });
    expect(value.description).toBe('Constraints: {"minLength":2}');
    expect(brief(warnings)).toEqual([
      'default /inputSchema/properties/value/default dropped',
      'minLength /inputSchema/properties/value/minLength described',
    ]);
  });
});

describe('a union at the root', () => {
  const union = (keyword: string): Json =>
    object(
      { kind: text },
      {
        required: ['kind'],
        description: 'Finds.',
        [keyword]: [
          { ...object({ id: { type: 'integer' }, by: text }), required: ['id', 'by'] },
          { ...object({ name: text, id: text, by: text }), required: ['id', 'name'] },
        ],
      },
    );

  test.each(['anyOf', 'oneOf'])('becomes one object: %s', (keyword) => {
    const { schema, warnings } = write('openai', union(keyword));
    expect(schema).toEqual({
      type: 'object',
      description: 'Finds.\n\nAlternatives: id, by | name, id, by',
      properties: { kind: text, id: { anyOf: [{ type: 'integer' }, text] }, by: text, name: text },
      required: ['kind', 'id'],
    });
    expect(brief(warnings)).toEqual([`${keyword} /inputSchema/${keyword} transformed`]);
  });

  test('requires only what every alternative requires', () => {
    const branch = (...required: string[]): Json => ({ ...object({ a: text, b: text, c: text }), required });
    const { schema } = write('openai', {
      anyOf: [branch('a', 'b', 'c'), branch('b', 'c'), branch('c', 'a')],
    });
    expect(schema.required).toEqual(['c']);
  });

  test('reports losses in a branch where the branch stands', () => {
    const branch = object({ id: { type: 'string', minLength: 3 } }, { required: ['id'] });
    const { warnings } = write('openai-strict', {
      anyOf: [branch, { $ref: '#/$defs/B' }],
      $defs: { B: branch },
    });
    expect(brief(warnings)).toEqual([
      'minLength /inputSchema/$defs/B/properties/id/minLength described',
      'anyOf /inputSchema/anyOf transformed',
    ]);
  });

  test('has only objects', () => {
    const error = errorOf(() => write('anthropic', { anyOf: [object({}), text] }), ConversionError);
    expect([error.code, error.path, error.direction]).toEqual([
      'ROOT_NOT_OBJECT',
      '/inputSchema/anyOf/1',
      'fromCanonical',
    ]);
  });

  test('may contain itself', () => {
    const { schema } = write('openai', {
      $ref: '#/$defs/A',
      $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, object({ a: text })] } },
    });
    expect(schema.properties).toEqual({ a: text });
  });
});

describe('the root', () => {
  test('is followed through references', () => {
    const { schema, warnings } = write('anthropic', {
      $ref: '#/$defs/Args',
      $defs: { Args: object({ a: text }) },
    });
    expect(schema).toEqual({ type: 'object', properties: { a: text }, $defs: { Args: object({ a: text }) } });
    expect(warnings).toEqual([]);
  });

  test.each([{ type: 'string' }, { type: 'array', items: text }, false])(
    'is an object for providers: %j',
    (schema) => {
      const error = errorOf(() => write('openai', schema), ConversionError);
      expect(error.code).toBe('ROOT_NOT_OBJECT');
    },
  );

  test.each([{}, true, { type: ['object', 'null'] }])('is an object anyway: %j', (schema) => {
    const { schema: emitted, warnings } = write('openai', schema);
    expect(emitted).toEqual({ type: 'object', properties: {} });
    expect(warnings).toEqual([]);
  });
});

describe('strict objects', () => {
  test('close every object and require every property in OpenAI', () => {
    const { schema, warnings } = write(
      'openai-strict',
      object({ a: text, b: object({ c: { enum: ['x'] } }, { required: ['c'] }) }, { required: ['a'] }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: text,
        b: {
          type: ['object', 'null'],
          properties: { c: { type: 'string', enum: ['x'] } },
          required: ['c'],
          additionalProperties: false,
        },
      },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(warnings).toEqual([]);
  });

  test('warn when null is a value of its own, which is kept', () => {
    const { schema, warnings, names } = write(
      'openai-strict',
      object({ a: { type: ['string', 'null'] }, b: { enum: ['x', null] }, c: { enum: ['x'] } }),
    );
    expect((schema.properties as Json).c).toEqual({
      anyOf: [{ type: 'string', enum: ['x'] }, { type: 'null' }],
    });
    expect(brief(warnings)).toEqual([
      'required /inputSchema/properties/a transformed',
      'required /inputSchema/properties/b transformed',
    ]);
    expect(names.decodeArguments('probe', { a: null, b: null, c: null })).toEqual({ a: null, b: null });
  });

  test('leave the type away beside listed values in Anthropic', () => {
    const { schema } = write('anthropic-strict', object({ a: { type: 'string', enum: ['x'] } }));
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { enum: ['x'] } },
      additionalProperties: false,
    });
  });

  test('move an object into its alternatives, which closed objects cannot share', () => {
    const schema = object(
      { a: text, b: text },
      { anyOf: [{ required: ['a'] }, { required: ['b'] }], description: 'One.' },
    );
    const { value, warnings } = writeProperty('anthropic-strict', schema);
    const closed = (name: string): Json => ({
      ...object({ a: text, b: text }),
      required: [name],
      additionalProperties: false,
    });
    expect(value).toEqual({ anyOf: [closed('a'), closed('b')], description: 'One.' });
    expect(warnings).toEqual([]);
  });
});

const COUNT = 4000;
const definitions = (make: (next: Json) => Json): Json =>
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, index) => [
      `D${index}`,
      index === COUNT - 1 ? { type: 'object' } : make({ $ref: `#/$defs/D${index + 1}` }),
    ]),
  );
const chain = (
  make: (next: Json) => Json,
  root: Json = { type: 'object', properties: { a: { $ref: '#/$defs/D0' } } },
): Json => ({
  ...root,
  $defs: definitions(make),
});

/** Small on the wire, and made to grow, or to be followed forever. */
const HOSTILE: Readonly<Record<string, Json>> = {
  'a chain of objects': chain((next) => ({ type: 'object', properties: { n: next } })),
  'a chain of references': chain((next) => next),
  'a chain of references with titles': chain((next) => ({ ...next, title: 'T' })),
  'a chain of alternatives': chain((next) => ({ anyOf: [next] }), { $ref: '#/$defs/D0' }),
  'a tree that doubles': chain((next) => ({ type: 'object', properties: { a: next, b: next } })),
  'alternatives that multiply': {
    type: 'object',
    properties: {
      value: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`p${index}`, {}])),
        anyOf: Array.from({ length: COUNT }, (_, index) => ({ required: [`p${index}`] })),
      },
    },
  },
  'references in a circle': {
    $ref: '#/$defs/A',
    $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } },
  },
};

describe.each(Object.entries(HOSTILE))('%s', (_name, schema) => {
  test.each(COLUMNS)('ends for %s with a schema or a ConversionError', (column) => {
    try {
      expect(write(column, schema).names.toToolId('probe')).toBe('probe');
    } catch (error) {
      expect(error).toBeInstanceOf(ConversionError);
      expect(['SCHEMA_TOO_LARGE', 'RECURSIVE_SCHEMA']).toContain((error as ConversionError).code);
    }
  });
});
