import { describe, expect, test } from '@jest/globals';
import { brief, write, type Json } from '../convert.ts';

const DRAFT = 'http://json-schema.org/draft-07/schema#';
const text = { type: 'string' };

/** A schema with everything that draft-07 writes in another way. */
const schema: Json = {
  $schema: DRAFT,
  type: 'object',
  definitions: { Id: { $id: '#id', type: 'string' } },
  properties: {
    byName: { $ref: '#/definitions/Id', minLength: 3, description: 'An id.' },
    byAnchor: { $ref: '#id' },
    pair: { type: 'array', items: [text, { type: 'integer' }], additionalItems: { type: 'boolean' } },
    second: { $ref: '#/properties/pair/items/1' },
    list: { type: 'array', items: text, additionalItems: false },
  },
  dependencies: { pair: ['list'], list: { required: ['pair'] } },
};

describe('a schema of draft-07', () => {
  test('reaches a provider in the words of 2020-12', () => {
    const { schema: emitted, warnings } = write('openai', schema);
    expect(emitted).toEqual({
      type: 'object',
      $defs: { Id: text, 1: { type: 'integer' } },
      properties: {
        byName: { $ref: '#/$defs/Id', description: 'An id.' },
        byAnchor: { $ref: '#/$defs/Id' },
        pair: { type: 'array', prefixItems: [text, { type: 'integer' }], items: { type: 'boolean' } },
        second: { $ref: '#/$defs/1' },
        list: { type: 'array', items: text },
      },
      dependentRequired: { pair: ['list'] },
      dependentSchemas: { list: { required: ['pair'] } },
    });
    expect(warnings).toEqual([]);
  });

  test('has its losses reported where they stand in it', () => {
    const { warnings } = write('openai-strict', {
      ...schema,
      required: Object.keys(schema.properties as Json),
    });
    expect(brief(warnings)).toEqual([
      'dependentRequired /inputSchema/dependencies described',
      'dependentSchemas /inputSchema/dependencies described',
      'open-value /inputSchema/properties/pair transformed',
      'items /inputSchema/properties/pair/additionalItems described',
      'prefixItems /inputSchema/properties/pair/items described',
    ]);
  });

  test('reaches MCP as it is', () => {
    expect(write('mcp', schema).schema).toEqual(schema);
  });

  test('may be written with both names for definitions', () => {
    const both = { ...schema, $defs: { Other: text } };
    expect(write('openai', both).schema.$defs).toMatchObject({ Id: text, Other: text });
  });
});
