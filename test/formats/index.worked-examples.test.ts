import { describe, expect, test } from '@jest/globals';
import { a2aAdapter, ConversionError, defaultRegistry, splitDeclarations } from 'toolwright/formats';
import { brief, writeProperty, type Json } from './convert.ts';
import { errorOf } from '../support/thrown.ts';

const registry = defaultRegistry();

describe('a simple tool', () => {
  test('reaches OpenAI without loss', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        text: { type: 'string', default: 'all' },
        count: { type: 'integer', minimum: 0, maximum: 100 },
      },
    };
    const { tool, warnings } = registry.convert({ name: 'search', inputSchema }, 'mcp', 'openai');
    expect(tool).toEqual({
      type: 'function',
      function: { name: 'search', parameters: inputSchema, strict: false },
    });
    expect(warnings).toEqual([]);
  });

  test('keeps name, description and properties from OpenAI to Anthropic, without a warning', () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const raw = { type: 'function', function: { name: 'search', description: 'Searches.', parameters } };
    const { tool, warnings } = registry.convert(raw, 'openai', 'anthropic');
    expect(tool).toEqual({ name: 'search', description: 'Searches.', input_schema: parameters });
    expect(warnings).toEqual([]);
  });
});

describe('OpenAI with strict', () => {
  test('has a nested not in the description', () => {
    const { value, warnings } = writeProperty('openai-strict', {
      type: 'string',
      not: { const: 'a' },
      description: 'A.',
    });
    expect(value).toEqual({ type: 'string', description: 'A.\n\nConstraints: {"not":{"const":"a"}}' });
    expect(brief(warnings)).toEqual(['not /inputSchema/properties/value/not described']);
    expect(warnings[0]).toMatchObject({ fromAdapter: 'canonical', toAdapter: 'openai' });
    expect(warnings[0]?.message).toBe('openai-strict: not went into the description.');
  });

  test('has anyOf for a nested oneOf', () => {
    const schema = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
    const { value, warnings } = writeProperty('openai-strict', schema);
    expect(value).toEqual({ anyOf: schema.oneOf });
    expect(brief(warnings)).toEqual(['oneOf /inputSchema/properties/value/oneOf transformed']);
  });

  test('merges an allOf of objects without a warning', () => {
    const part = (name: string): Json => ({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    });
    const { value, warnings } = writeProperty('openai-strict', { allOf: [part('a'), part('b')] });
    expect(value).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    expect(warnings).toEqual([]);
  });
});

test('what only Anthropic knows comes back to Anthropic', () => {
  const raw = {
    name: 'search',
    input_schema: { type: 'object', properties: { text: { type: 'string' } } },
    input_examples: [{ text: 'cats' }],
    cache_control: { type: 'ephemeral' },
    defer_loading: true,
    strict: true,
  };
  const canonical = registry.get('anthropic').toCanonical(raw);
  expect(canonical.examples).toEqual([{ text: 'cats' }]);
  const { tool, warnings } = registry.get('anthropic').fromCanonical(canonical);
  expect(tool).toEqual({ ...raw, input_schema: { ...raw.input_schema, additionalProperties: false } });
  expect(warnings).toEqual([]);
});

describe('a Gemini tool', () => {
  const declaration = (name: string): Json => ({ name, description: `Does ${name}.` });

  test('has one declaration', () => {
    const two = { functionDeclarations: [declaration('a'), declaration('b')] };
    const error = errorOf(() => registry.convert(two, 'gemini', 'mcp'), ConversionError);
    expect([error.code, error.path]).toEqual(['MULTIPLE_DECLARATIONS', '/functionDeclarations']);
    const tools = splitDeclarations(two).map((each) => registry.convert(each, 'gemini', 'mcp').tool as Json);
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test('is read with one declaration, or as a bare one', () => {
    const expected = { name: 'a', description: 'Does a.', inputSchema: { type: 'object' } };
    expect(registry.convert({ functionDeclarations: [declaration('a')] }, 'gemini', 'mcp').tool).toEqual(
      expected,
    );
    expect(registry.convert(declaration('a'), 'gemini', 'mcp').tool).toEqual(expected);
  });
});

describe('A2A', () => {
  test('has the parts of a tool id in the id of a skill', () => {
    const skill = { id: 'tools:search:1.2.3', name: 'Search', description: 'Searches.', tags: ['web'] };
    const canonical = a2aAdapter.toCanonical(skill);
    expect(canonical).toMatchObject({
      namespace: 'tools',
      name: 'search',
      version: '1.2.3',
      title: 'Search',
    });
    expect(canonical.inputSchema).toEqual({ type: 'object' });
    const { tool, warnings } = a2aAdapter.fromCanonical({
      ...canonical,
      source: { format: 'mcp', extra: {} },
    });
    expect(tool).toEqual(skill);
    expect(warnings).toEqual([]);
  });

  test('has no card without an interface', () => {
    const provider = { name: 'agent', description: 'An agent.', version: '1.0.0' };
    const error = errorOf(() => a2aAdapter.fromCanonicalProvider(provider), ConversionError);
    expect([error.code, error.direction]).toEqual(['MISSING_INTERFACES', 'fromCanonicalProvider']);
  });
});

test('summary and category travel in the _meta of MCP', () => {
  const raw = {
    name: 'search',
    inputSchema: { type: 'object' },
    _meta: { 'toolwright/summary': 'Search.', 'toolwright/category': 'web', 'com.example/x': 1 },
  };
  const canonical = registry.get('mcp').toCanonical(raw);
  expect(canonical).toMatchObject({ summary: 'Search.', category: 'web' });
  expect(registry.get('mcp').fromCanonical(canonical).tool).toEqual(raw);
});
