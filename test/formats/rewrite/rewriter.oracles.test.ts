import { AgentCard, AgentSkill } from '@a2a-js/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { a2aAdapter, ConversionError } from 'toolwright/formats';
import { write, type Json } from '../convert.ts';
import { argumentSamples, oddSamples } from '../schema-arbitrary.ts';
import { tries } from '../../support/thorough.ts';

const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });

/** Schemas that the SDK of a provider takes without throwing, and says something about. */
const SCHEMAS: readonly Json[] = [
  object({ a: { type: 'string' }, b: { type: 'integer', minimum: 1, maximum: 9 } }, { required: ['a', 'b'] }),
  object(
    { a: { type: 'array', items: { type: 'number', multipleOf: 2 }, minItems: 1 } },
    { required: ['a'] },
  ),
  object({ a: { anyOf: [{ type: 'string', pattern: '^a' }, { type: 'null' }] } }, { required: ['a'] }),
  object(
    { a: { $ref: '#/$defs/A' } },
    { required: ['a'], $defs: { A: object({ x: { type: 'boolean' } }, { required: ['x'] }) } },
  ),
  object({ a: { type: 'string', enum: ['x', 'y'], description: 'One.' } }, { required: ['a'] }),
  object({ a: { type: 'string', format: 'uuid', title: 'Id' } }, { required: ['a'] }),
];

/** What a schema says apart from its texts, where each of the two has its own words. */
function structure(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(structure);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(members.map(([key, member]) => [key, structure(member)]));
}

describe('for Anthropic with strict', () => {
  test.each(SCHEMAS)('the schema is what its SDK makes: %j', (schema) => {
    const { schema: emitted } = write('anthropic-strict', schema);
    expect(structure(emitted)).toEqual(structure(transformJSONSchema(schema)));
  });

  test('the SDK has nothing left to change in what is emitted', () => {
    const property = fc.property(argumentSamples, ({ schema }) => {
      const { schema: emitted } = write('anthropic-strict', schema);
      expect(transformJSONSchema(emitted as never)).toEqual(emitted);
    });
    fc.assert(property);
  });
});

describe('for OpenAI with strict', () => {
  test.each(SCHEMAS)('the schema is what its SDK makes: %j', (schema) => {
    const { schema: emitted } = write('openai-strict', schema);
    const { $defs: _ours, ...ours } = emitted;
    const { $defs: _theirs, ...theirs } = toStrictJsonSchema(schema) as Json;
    expect(structure(ours)).toEqual(structure(theirs));
  });

  test('the SDK has nothing left to change in what is emitted', () => {
    const property = fc.property(argumentSamples, ({ schema }) => {
      const { schema: emitted } = write('openai-strict', schema);
      expect(toStrictJsonSchema(emitted as never)).toEqual(emitted);
    });
    fc.assert(property);
  });

  test.each<Json>([
    { type: 'array' },
    { type: ['array', 'null'] },
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    { type: 'array', items: false },
    { type: 'array', anyOf: [{ minItems: 1 }, { items: { type: 'string' } }] },
    { const: [1, 2] },
    { enum: [[1], { z: 1 }, 'x'] },
  ])('the SDK takes what becomes of a list without items: %j', (a) => {
    const { schema: emitted } = write('openai-strict', object({ a }, { required: ['a'] }));
    expect(toStrictJsonSchema(emitted as never)).toEqual(emitted);
  });

  test('the SDK has nothing left to change in what becomes of odd lists and listed objects', () => {
    const property = fc.property(oddSamples, ({ schema }) => {
      const { schema: emitted } = write('openai-strict', schema);
      expect(toStrictJsonSchema(emitted as never)).toEqual(emitted);
    });
    fc.assert(property, { numRuns: tries(50, 200) });
  });

  test('an optional property, which the SDK refuses, becomes a union with null that it takes', () => {
    const schema = object({ a: { type: 'string' }, b: { enum: ['x'] } });
    expect(() => toStrictJsonSchema(schema as never)).toThrow();
    const { schema: emitted } = write('openai-strict', schema);
    expect(toStrictJsonSchema(emitted as never)).toEqual(emitted);
  });

  test.each([{ type: 'string' }, { type: 'array', items: {} }])(
    'both refuse a root that is not an object: %j',
    (schema) => {
      expect(() => toStrictJsonSchema(schema as never)).toThrow();
      expect(() => write('openai-strict', schema)).toThrow(ConversionError);
    },
  );
});

describe('for A2A', () => {
  const skill = {
    id: 'web:find:1.0.0',
    name: 'Find',
    description: 'Finds.',
    tags: ['web'],
    examples: ['Find it'],
    securityRequirements: [{ schemes: { oauth: { list: ['read'] } } }],
  };
  const card = {
    name: 'Agent',
    description: 'An agent.',
    supportedInterfaces: [{ url: 'https://a.example', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    version: '1.0.0',
    capabilities: { streaming: true },
    securitySchemes: {
      oauth: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example/oidc' } },
      key: { apiKeySecurityScheme: { location: 'header', name: 'X' } },
    },
    securityRequirements: [{ schemes: { key: { list: ['all'] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [skill],
  };

  test('the SDK reads a skill and a card as we write them, member by member', () => {
    const written = a2aAdapter.fromCanonicalProvider(a2aAdapter.toCanonicalProvider(card)).card;
    expect(AgentCard.toJSON(AgentCard.fromJSON(written))).toEqual(AgentCard.toJSON(AgentCard.fromJSON(card)));
    expect(AgentCard.toJSON(AgentCard.fromJSON(written))).toMatchObject(card);
    const { tool } = a2aAdapter.fromCanonical(a2aAdapter.toCanonical(skill));
    expect(AgentSkill.toJSON(AgentSkill.fromJSON(tool as never))).toMatchObject(skill);
  });
});

describe('for MCP', () => {
  test('the SDK takes what is written', () => {
    const property = fc.property(argumentSamples, ({ schema }) => {
      const fields = {
        title: 'T',
        summary: 'S',
        idempotent: true,
        icons: [{ src: 'https://a.example/i.png' }],
      };
      const { tool } = write('mcp', schema, { ...fields, outputSchema: true });
      expect(ToolSchema.parse(tool)).toEqual(tool);
    });
    fc.assert(property);
    expect(ToolSchema.parse(write('mcp', true).tool)).toEqual({
      name: 'probe',
      inputSchema: { type: 'object' },
    });
  });
});
