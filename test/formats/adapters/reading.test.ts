import { describe, expect, test } from '@jest/globals';
import { a2aAdapter, ConversionError, defaultRegistry, type CanonicalTool } from 'toolwright/formats';
import { errorOf } from '../../support/thrown.ts';
import type { Json } from '../convert.ts';

const registry = defaultRegistry();
const ADAPTERS = registry.list();
const SCHEMAS: Readonly<Record<string, readonly [shape: (schema: unknown) => Json, path: string]>> = {
  mcp: [(schema) => ({ name: 'x', inputSchema: schema }), '/inputSchema'],
  openai: [
    (schema) => ({ type: 'function', function: { name: 'x', parameters: schema } }),
    '/function/parameters',
  ],
  'openai-responses': [(schema) => ({ type: 'function', name: 'x', parameters: schema }), '/parameters'],
  anthropic: [(schema) => ({ name: 'x', input_schema: schema }), '/input_schema'],
  gemini: [
    (schema) => ({ functionDeclarations: [{ name: 'x', parametersJsonSchema: schema }] }),
    '/functionDeclarations/0/parametersJsonSchema',
  ],
};
const withSchemas = Object.entries(SCHEMAS).map(([adapter, [shape, path]]) => ({ adapter, shape, path }));

const read = (adapter: string, raw: unknown): ConversionError =>
  errorOf(() => registry.get(adapter).toCanonical(raw), ConversionError);
const deep = (levels: number): Json => {
  let schema: Json = { type: 'string' };
  for (let level = 1; level < levels; level += 1) schema = { not: schema };
  return schema;
};
const cyclic: Json = { type: 'object' };
cyclic.properties = { self: cyclic };

describe.each(ADAPTERS)('%s', (adapter) => {
  test.each([null, undefined, 'tool', 7, [], () => ({})])('refuses %p as a tool', (raw) => {
    const error = read(adapter, raw);
    expect([error.code, error.adapter, error.direction, error.path]).toEqual([
      'INVALID_INPUT',
      adapter,
      'toCanonical',
      '',
    ]);
    expect(error.message).toMatch(new RegExp(`^${adapter} toCanonical: `));
  });

  test.each([{}, { name: '', id: '' }, { name: 5, id: 5 }])('refuses %j, which has no name', (raw) => {
    expect(read(adapter, raw).code).toBe('NAME_REQUIRED');
  });

  test.each([
    [null, 'INVALID_INPUT', ''],
    [{ inputSchema: { type: 'object' } }, 'NAME_REQUIRED', '/name'],
    [{ name: 'x', inputSchema: null }, 'INVALID_SCHEMA', '/inputSchema'],
    [{ name: 'x', inputSchema: {}, outputSchema: [] }, 'INVALID_SCHEMA', '/outputSchema'],
    [{ name: 'x', inputSchema: { $ref: 'a.json' } }, 'EXTERNAL_REF', '/inputSchema/$ref'],
    [{ name: 'x', inputSchema: {}, tags: 'no list' }, 'INVALID_INPUT', '/tags'],
  ])('refuses to write %j', (tool, code, path) => {
    const error = errorOf(
      () => registry.get(adapter).fromCanonical(tool as unknown as CanonicalTool),
      ConversionError,
    );
    expect([error.code, error.path, error.direction]).toEqual([code, path, 'fromCanonical']);
  });
});

describe.each(withSchemas)('a schema read by $adapter', ({ adapter, shape, path }) => {
  test.each([
    ['a text', 'object', 'INVALID_SCHEMA', ''],
    ['a list', [], 'INVALID_SCHEMA', ''],
    ['a class instance', new Map(), 'INVALID_SCHEMA', ''],
    ['a date', new Date(0), 'INVALID_SCHEMA', ''],
    [
      'an external reference',
      { properties: { a: { $ref: 'https://example.com/a' } } },
      'EXTERNAL_REF',
      '/properties/a/$ref',
    ],
    ['a reference that is not a text', { $ref: 5 }, 'INVALID_SCHEMA', '/$ref'],
    ['a reference to nothing', { items: { $ref: '#/$defs/A' } }, 'INVALID_SCHEMA', '/items/$ref'],
    ['101 levels', deep(101), 'SCHEMA_TOO_LARGE', ''],
    ['100 000 levels', deep(100_000), 'SCHEMA_TOO_LARGE', ''],
    ['itself', cyclic, 'SCHEMA_TOO_LARGE', ''],
    ['50 001 nodes', { enum: Array.from({ length: 50_000 }, (_, index) => index) }, 'SCHEMA_TOO_LARGE', ''],
    ['more than a mebibyte', { const: 'ä'.repeat(600_000) }, 'SCHEMA_TOO_LARGE', ''],
  ])('is not %s', (_name, schema, code, inside) => {
    const error = read(adapter, shape(schema));
    expect([error.code, error.path]).toEqual([code, `${path}${inside}`]);
  });

  test('may have 100 levels, and data that only looks like references', () => {
    const schema = {
      ...deep(100),
      const: { $ref: 'https://example.com' },
      properties: { $ref: { type: 'string' } },
    };
    expect(registry.get(adapter).toCanonical(shape(schema)).inputSchema).toEqual(schema);
  });
});

describe('what comes from strangers', () => {
  test('may have any member and property name', () => {
    const raw = JSON.parse(
      '{"name":"x","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]},"__proto__":{"polluted":true}}',
    ) as Json;
    for (const target of ADAPTERS) {
      const { tool, names } = registry.convert(raw, 'mcp', target);
      expect(JSON.stringify(tool)).toContain(target === 'a2a' ? '"id":"x"' : '__proto__');
      expect(JSON.stringify(names.decodeArguments('x', JSON.parse('{"__proto__":"a"}')))).toBe(
        '{"__proto__":"a"}',
      );
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('is refused when a member is too deep to be copied', () => {
    const { error } = { error: read('mcp', { name: 'x', inputSchema: {}, _meta: deep(10_000) }) };
    expect([error.code, error.path]).toEqual(['INVALID_INPUT', '/_meta']);
  });

  test('does not grow without end when references are inlined', () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      `L${level}`,
      level === 29
        ? { type: 'string' }
        : {
            type: 'object',
            properties: { a: { $ref: `#/$defs/L${level + 1}` }, b: { $ref: `#/$defs/L${level + 1}` } },
          },
    ]);
    const inputSchema = {
      type: 'object',
      properties: { top: { $ref: '#/$defs/L0' } },
      $defs: Object.fromEntries(levels) as Json,
    };
    const error = errorOf(
      () => registry.convert({ name: 'x', inputSchema }, 'mcp', 'gemini', { schema: 'parameters' }),
      ConversionError,
    );
    expect([error.code, error.direction]).toEqual(['SCHEMA_TOO_LARGE', 'fromCanonical']);
  });

  test.each([
    [{ name: 'x', inputSchema: { properties: { a: 5 } } }, '/inputSchema/properties/a'],
    [{ name: 'x', inputSchema: { properties: [] } }, '/inputSchema/properties'],
    [{ name: 'x', inputSchema: { anyOf: {} } }, '/inputSchema/anyOf'],
  ])('is refused by providers when a keyword holds no schema: %j', (raw, path) => {
    const error = errorOf(() => registry.convert(raw, 'mcp', 'openai'), ConversionError);
    expect([error.code, error.path]).toEqual(['INVALID_SCHEMA', path]);
  });

  test('has the right kind of members', () => {
    expect(read('mcp', { name: 'x', description: 5 }).path).toBe('/description');
    expect(read('openai', { function: 'x' }).path).toBe('/function');
    expect(read('openai', { type: 'web_search', name: 'x' }).path).toBe('/type');
    expect(read('anthropic', { name: 'x', input_examples: ['a'] }).path).toBe('/input_examples');
    expect(read('gemini', { functionDeclarations: [] }).code).toBe('INVALID_INPUT');
    expect(read('gemini', { name: 'x', parameters: {}, parametersJsonSchema: {} }).path).toBe('/parameters');
    expect(read('a2a', { id: 'x', tags: [1] }).path).toBe('/tags');
  });

  test('is refused where a skill is wanted', () => {
    const error = errorOf(() => a2aAdapter.toCanonical({ name: 'agent', skills: [] }), ConversionError);
    expect([error.code, error.path]).toEqual(['AGENT_CARD_NEEDS_PROVIDER', '']);
  });
});
