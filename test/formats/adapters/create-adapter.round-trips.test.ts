import { describe, expect, test } from '@jest/globals';
import { defaultRegistry, type CanonicalTool } from 'toolwright/formats';
import type { Json } from '../convert.ts';
import { full, inputSchema } from './full-tool.ts';

const registry = defaultRegistry();
const emit = (to: string, tool: Partial<CanonicalTool>): ReturnType<typeof registry.convert> =>
  registry.get(to).fromCanonical({ name: 'search', inputSchema, ...tool });

describe('MCP', () => {
  test('restores every field from its own form', () => {
    const { backend: _backend, ...rest } = full;
    const wire = emit('mcp', full).tool as Json;
    const read = registry.get('mcp').toCanonical(wire);
    expect({ ...read, source: undefined }).toEqual({
      ...rest,
      annotations: { readOnlyHint: true, idempotentHint: true },
      source: undefined,
    });
    expect(registry.get('mcp').fromCanonical(read).tool).toEqual(wire);
  });

  test('keeps members that it does not know, and _meta of others, also where ours is malformed', () => {
    const raw = {
      name: 'x',
      inputSchema: { type: 'object' },
      execution: { taskSupport: 'optional' },
      _meta: { 'toolwright/tags': 'no list', other: 1 },
    };
    const read = registry.get('mcp').toCanonical(raw);
    expect(read.tags).toBeUndefined();
    expect(registry.get('mcp').fromCanonical(read).tool).toEqual(raw);
  });

  test('takes the title from the annotations', () => {
    const read = registry
      .get('mcp')
      .toCanonical({ name: 'x', inputSchema: {}, annotations: { title: 'X', idempotentHint: false } });
    expect(read).toMatchObject({ title: 'X', idempotent: false });
  });

  test('keeps any schema of any dialect, and writes booleans as the objects that they mean', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { A: true },
      items: [true],
      'x-a': 1,
    };
    const read = registry.get('mcp').toCanonical({ name: 'x', inputSchema: schema, outputSchema: true });
    expect([read.inputSchema, read.outputSchema]).toEqual([schema, true]);
    expect(registry.get('mcp').fromCanonical(read).tool).toEqual({
      name: 'x',
      inputSchema: schema,
      outputSchema: { type: 'object' },
    });
  });
});

describe('OpenAI', () => {
  const flat = { type: 'function', name: 'search', description: 'D', parameters: inputSchema, strict: false };
  const nested = {
    type: 'function',
    function: { name: 'search', description: 'D', parameters: inputSchema, strict: false },
  };
  const { type: _type, ...bare } = flat;

  test.each([
    ['nested', nested],
    ['flat', flat],
    ['bare', bare],
  ])('reads the %s form for both APIs', (_name, raw) => {
    expect(registry.convert(raw, 'openai', 'openai').tool).toEqual(nested);
    expect(registry.convert(raw, 'openai-responses', 'openai-responses').tool).toEqual(flat);
  });

  test('keeps strict from what was read, unless an option says otherwise', () => {
    const strict = { ...flat, strict: true };
    expect(registry.convert(strict, 'openai-responses', 'anthropic').tool).toMatchObject({ strict: true });
    expect(
      registry.convert(strict, 'openai-responses', 'anthropic', { strict: false }).tool,
    ).not.toHaveProperty('strict');
    expect(registry.convert(bare, 'openai', 'openai', { strict: true }).tool).toMatchObject({
      function: { strict: true },
    });
  });

  test('takes null for what is absent, and restores what it does not know', () => {
    const raw = {
      type: 'function',
      name: 'x',
      description: null,
      parameters: null,
      strict: null,
      defer_loading: true,
    };
    expect(registry.convert(raw, 'openai-responses', 'openai-responses').tool).toEqual({
      type: 'function',
      name: 'x',
      parameters: { type: 'object', properties: {} },
      strict: false,
      defer_loading: true,
    });
    const wrapped = {
      type: 'function',
      function: { name: 'x', parameters: inputSchema, strict: false, a: 1 },
      cache: 2,
    };
    expect(registry.convert(wrapped, 'openai', 'openai').tool).toEqual(wrapped);
  });

  test('has the schema of the result in the Responses API', () => {
    const output = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { N: { type: 'integer' } },
      type: 'object',
      properties: { n: { $ref: '#/definitions/N' } },
    };
    const { tool, warnings } = emit('openai-responses', { outputSchema: output });
    expect((tool as Json).output_schema).toEqual({
      $defs: { N: { type: 'integer' } },
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' } },
    });
    expect(warnings).toEqual([]);
    expect(registry.get('openai-responses').toCanonical(tool).outputSchema).toEqual(
      (tool as Json).output_schema,
    );
  });
});
