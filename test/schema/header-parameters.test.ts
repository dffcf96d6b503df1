import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { headerParametersOf } from '../../src/schema/header-parameters.ts';
import type { JsonSchema } from '../../src/shared/json-schema.ts';

const region = { type: 'string', 'x-mcp-header': 'Region' };

function faults(schema: JsonSchema): readonly string[] {
  return headerParametersOf(schema).faults.map(({ path, reason }) => `${path.join('.')}: ${reason}`);
}

test('A property of the root or of a nested object is a header parameter', () => {
  const schema = {
    type: 'object',
    properties: {
      region,
      place: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
      plain: { type: 'string' },
    },
  };
  expect(headerParametersOf(schema)).toEqual({
    faults: [],
    parameters: [
      { header: 'Region', path: ['region'], type: 'string' },
      { header: 'Floor', path: ['place', 'floor'], type: 'integer' },
    ],
  });
});

describe('A declaration is refused', () => {
  test.each<[string, JsonSchema]>([
    ['in items', { properties: { list: { type: 'array', items: region } } }],
    ['in a branch', { anyOf: [{ properties: { region } }] }],
    ['in a definition', { $defs: { place: region }, properties: { place: { $ref: '#/$defs/place' } } }],
    ['on the root', { ...region }],
  ])('%s, because it is not always at the same place', (_, schema) => {
    expect(faults(schema)).toEqual([expect.stringContaining('only a property that is always')]);
  });

  test.each([
    ['number', { type: 'number' }],
    ['array', { type: 'array' }],
    ['nullable', { type: ['string', 'null'] }],
    ['untyped', {}],
  ])('for the type of a header: %s', (_, schema) => {
    expect(faults({ properties: { a: { ...schema, 'x-mcp-header': 'A' } } })).toEqual([
      'a: only a text, an integer or a boolean can be a header',
    ]);
  });

  test.each(['', 'a b', 'a:b', 'ä', 'a\r\nb', 7])('for the name %j', (header) => {
    const schema = { properties: { a: { type: 'string', 'x-mcp-header': header } } };
    expect(faults(schema)).toEqual(['a: a header name has letters, digits and -_ only']);
  });

  test('for a name that differs from another one in letter case only', () => {
    const other = { type: 'string', 'x-mcp-header': 'REGION' };
    expect(faults({ properties: { region, other } })).toEqual([
      'other: "region" has the same header, and letter case makes no difference',
    ]);
  });
});

test('What is data, and a property that is called like the keyword, is not a declaration', () => {
  const schema = {
    properties: {
      'x-mcp-header': { type: 'string' },
      a: { const: region, default: region, examples: [region] },
    },
  };
  expect(headerParametersOf(schema)).toEqual({ parameters: [], faults: [] });
});

test('Every declaration is found once, as a parameter or as a fault', () => {
  const leaf = fc.constantFrom<JsonSchema>(region, { type: 'string' }, { ...region, type: 'number' });
  const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')) }),
      fc.record({ items: tie('schema') }),
      fc.record({ oneOf: fc.array(tie('schema'), { maxLength: 2 }) }),
    ),
  }));
  fc.assert(
    fc.property(schema, (given) => {
      const { parameters, faults: refused } = headerParametersOf(given);
      const declared = JSON.stringify(given).split('"x-mcp-header"').length - 1;
      expect(parameters.length + refused.length).toBe(declared);
    }),
  );
});
