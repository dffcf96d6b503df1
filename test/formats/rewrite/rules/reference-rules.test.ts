import { describe, expect, test } from '@jest/globals';
import { ConversionError, defaultRegistry } from 'toolwright/formats';
import { brief, write, writeProperty, type Json } from '../../convert.ts';
import { errorOf } from '../../../support/thrown.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

describe('allOf', () => {
  test('fails where it cannot be merged and has no other place', () => {
    const schema = { type: 'string', allOf: [{ minLength: 1 }] };
    const error = errorOf(() => writeProperty('openai-strict', schema), ConversionError);
    expect([error.code, error.path]).toEqual(['UNMERGEABLE_ALL_OF', '/inputSchema/properties/value/allOf']);
  });

  test('is not merged when a property occurs twice with different schemas', () => {
    const schema = { type: 'object', allOf: [object({ a: text }), object({ a: { type: 'integer' } })] };
    const { warnings } = writeProperty('gemini-json', schema);
    expect(brief(warnings)).toEqual(['allOf /inputSchema/properties/value/allOf described']);
  });

  test('is not merged with what is not an object', () => {
    const error = errorOf(
      () => writeProperty('openai-strict', { allOf: [object({ a: text }), { type: 'string' }] }),
      ConversionError,
    );
    expect(error.code).toBe('UNMERGEABLE_ALL_OF');
  });

  test('is not merged into an object that refuses other properties', () => {
    const schema = object({ a: text }, { additionalProperties: false, allOf: [object({ b: text })] });
    expect(errorOf(() => writeProperty('openai-strict', schema), ConversionError).code).toBe(
      'UNMERGEABLE_ALL_OF',
    );
  });

  test('follows references, also around in a circle', () => {
    const node = { allOf: [{ $ref: '#/$defs/Base' }, object({ next: { $ref: '#/$defs/Node' } })] };
    const { value, warnings } = writeProperty(
      'openai-strict',
      { $ref: '#/$defs/Node' },
      { Node: node, Base: object({ v: text }) },
    );
    expect(value).toEqual({ $ref: '#/$defs/Node' });
    expect(warnings).toEqual([]);
    const own = { properties: { x: { allOf: [{ $ref: '#/$defs/Own' }] } } };
    const { schema } = write('openai-strict', {
      ...object({ o: { $ref: '#/$defs/Own' } }),
      $defs: { Own: { type: 'object', ...own } },
    });
    expect(JSON.stringify(schema)).toContain('"$ref":"#/$defs/x"');
  });
});

describe('references', () => {
  test('are inlined with what stands beside them', () => {
    const { value, warnings } = writeProperty(
      'openai-strict',
      { $ref: '#/$defs/A', description: 'Mine.' },
      { A: { type: 'string', pattern: 'a' } },
    );
    expect(value).toEqual({ type: 'string', pattern: 'a', description: 'Mine.' });
    expect(warnings).toEqual([]);
  });

  test('are no part of a merge when both say different things', () => {
    const defs = { A: { type: 'string', pattern: 'a' } };
    const schema = { $ref: '#/$defs/A', pattern: 'b' };
    const { value, warnings } = writeProperty('gemini-openapi', { ...schema, type: 'string' }, defs);
    expect(value.description).toContain(
      '"allOf":[{"pattern":"a","type":"string"},{"pattern":"b","type":"string"}]',
    );
    expect(brief(warnings)).toContain('allOf /inputSchema/$defs/A described');
    expect(errorOf(() => writeProperty('openai-strict', schema, defs), ConversionError).code).toBe(
      'UNMERGEABLE_ALL_OF',
    );
  });

  test('lose what stands beside them when they are recursive', () => {
    const node = object({ next: { $ref: '#/$defs/Node' } });
    const { value, warnings } = writeProperty(
      'gemini-json',
      { $ref: '#/$defs/Node', title: 'First' },
      { Node: node },
    );
    expect(value).toEqual({ $ref: '#/$defs/Node' });
    expect(brief(warnings)).toEqual(['title /inputSchema/properties/value/title dropped']);
  });

  test('have the losses of what is inlined reported once, where it is defined', () => {
    const defs = { A: { type: 'string', default: 'x', deprecated: true } };
    const root = { $defs: defs, ...object({ a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } }) };
    expect(brief(write('gemini-openapi', root).warnings)).toEqual([
      'deprecated /inputSchema/$defs/A/deprecated dropped',
    ]);
  });

  test('say what to do when they lead to nothing', () => {
    const raw = { name: 'probe', inputSchema: { $ref: '#/$defs/Missing' } };
    const error = errorOf(() => defaultRegistry().convert(raw, 'mcp', 'openai'), ConversionError);
    expect([error.code, error.fix]).toEqual(['INVALID_SCHEMA', expect.stringContaining('refers to')]);
  });

  test.each(['anthropic-strict', 'gemini-openapi'] as const)('may not be recursive in %s', (column) => {
    const defs = { Node: object({ next: { $ref: '#/$defs/Node' } }) };
    const error = errorOf(() => writeProperty(column, { $ref: '#/$defs/Node' }, defs), ConversionError);
    expect(error.code).toBe('RECURSIVE_SCHEMA');
  });

  test.each(['anthropic-strict', 'gemini-openapi', 'gemini-json'] as const)(
    'that are recursive are refused at the one that closes the circle, whatever meets it first, in %s',
    (column) => {
      const node = (name: string): Json =>
        object({ next: { $ref: `#/$defs/${name}` } }, { required: ['next'] });
      const circles: readonly (readonly [Json, string])[] = [
        [{ N: node('N') }, 'N'],
        [{ N: node('B'), B: node('N') }, 'B'],
        [{ B: node('N'), N: node('B') }, 'B'],
        [{ N: node('C'), C: node('C') }, 'C'],
      ];
      for (const [defs, closing] of circles) {
        const value = object({ value: { $ref: '#/$defs/N' } });
        for (const root of [
          { ...value, $defs: defs },
          { $defs: defs, ...value },
        ]) {
          const { code, path } = errorOf(() => write(column, root), ConversionError);
          expect([code, path]).toEqual([
            'RECURSIVE_SCHEMA',
            `/inputSchema/$defs/${closing}/properties/next/$ref`,
          ]);
        }
      }
      const tree = object({ child: { $ref: '#' } }, { required: ['child'] });
      expect(errorOf(() => write(column, tree), ConversionError).path).toBe(
        '/inputSchema/properties/child/$ref',
      );
    },
  );

  test('may be recursive in Gemini through an optional property', () => {
    const defs = { Node: object({ v: text, next: { $ref: '#/$defs/Node' } }, { required: ['v'] }) };
    expect(writeProperty('gemini-json', { $ref: '#/$defs/Node' }, defs).warnings).toEqual([]);
    const list = {
      Node: object({ all: { type: 'array', items: { $ref: '#/$defs/Node' } } }, { required: ['all'] }),
    };
    expect(
      errorOf(() => writeProperty('gemini-json', { $ref: '#/$defs/Node' }, list), ConversionError).code,
    ).toBe('RECURSIVE_SCHEMA');
  });

  test('lead to the right place after what they led to was moved or renamed', () => {
    const root = object(
      { 'a b': { type: 'string', maxLength: 3 }, c: { $ref: '#/properties/a%20b' }, d: { $ref: '#named' } },
      {
        $defs: { N: { $anchor: 'named', type: 'integer' } },
      },
    );
    const { schema } = write('anthropic', root);
    const properties = schema.properties as Json;
    expect(properties.c).toEqual({ $ref: '#/$defs/a_b' });
    expect((schema.$defs as Json).a_b).toEqual({ type: 'string', maxLength: 3 });
    expect(properties.d).toEqual({ $ref: '#/$defs/N' });
    expect((write('openai', root).schema.properties as Json).c).toEqual({ $ref: '#/properties/a%20b' });
    const strict = object({ a: text, b: { $ref: '#/properties/a' } }, { required: ['a', 'b'] });
    expect((write('openai-strict', strict).schema.properties as Json).b).toEqual({ $ref: '#/$defs/a' });
  });

  test('mean the schema with an $id around them', () => {
    const inner = {
      $id: 'https://example.com/inner',
      $defs: { A: { type: 'integer' } },
      type: 'object',
      properties: { x: { $ref: '#/$defs/A' } },
    };
    const { schema } = write('openai', object({ inner }, { $defs: { A: text } }));
    const definitions = schema.$defs as Json;
    const reference = String(
      (((schema.properties as Json).inner as Json).properties as Json & { x: Json }).x.$ref,
    );
    expect(definitions[reference.replace('#/$defs/', '')] ?? 'in place').toEqual(
      reference.startsWith('#/$defs/') ? { type: 'integer' } : 'in place',
    );
  });
});
