import { describe, expect, test } from '@jest/globals';
import { checkLimits, defaultRegistry } from 'toolwright/formats';
import type { Json } from './convert.ts';

const openai = (parameters: Json, strict = true): Json => ({
  type: 'function',
  function: { name: 'x', parameters, strict },
});
const anthropic = (schema: Json, strict = true): Json => ({ name: 'x', input_schema: schema, strict });
const many = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));
const nested = (levels: number): Json =>
  levels === 1
    ? { type: 'object', properties: {} }
    : { type: 'object', properties: { a: nested(levels - 1) } };
const texts = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, 'x'));
const brief = (tools: readonly unknown[], target: string): readonly unknown[] =>
  checkLimits(tools, target).map(({ max, actual, path }) => [max, actual, path]);

describe('the limits of OpenAI with strict', () => {
  test.each([
    [{ type: 'object', properties: many(5001) }, [5000, 5001, '/1']],
    [nested(11), [10, 11, '/1']],
    [{ enum: texts(1001, 4) }, [1000, 1001, '/1']],
    [{ const: 'x'.repeat(120_001) }, [120_000, 120_001, '/1']],
    [{ enum: texts(251, 60) }, [15_000, 15_060, '/1']],
  ])('are reported', (schema, expected) => {
    expect(brief([openai({}), openai(schema)], 'openai')).toEqual([expected]);
    expect(
      brief([openai({}), { type: 'function', parameters: schema, strict: true }], 'openai-strict'),
    ).toEqual([expected]);
    expect(brief([openai(schema, false)], 'openai')).toEqual([]);
  });

  test.each([nested(10), { enum: texts(250, 100) }, { type: 'object', properties: many(5000) }])(
    'are not reached',
    (schema) => {
      expect(brief([openai(schema)], 'openai')).toEqual([]);
    },
  );
});

test('the limits of Anthropic hold for all strict tools of a request', () => {
  const optional = anthropic({ type: 'object', properties: many(13) });
  expect(brief([optional, optional], 'anthropic')).toEqual([[24, 26, '']]);
  const unions = anthropic({
    type: 'object',
    properties: Object.fromEntries(Object.keys(many(17)).map((key) => [key, { anyOf: [] }])),
    required: Object.keys(many(17)),
  });
  expect(brief([unions], 'anthropic')).toEqual([[16, 17, '']]);
  const small = Array.from({ length: 21 }, () => anthropic({ type: 'object' }));
  expect(brief(small, 'anthropic')).toEqual([[20, 21, '']]);
  expect(
    brief(
      small.map((tool) => ({ ...tool, strict: false })),
      'anthropic',
    ),
  ).toEqual([]);
});

test('the limit of Gemini is about declarations', () => {
  expect(
    brief(
      [{ functionDeclarations: Array.from({ length: 128 }, () => ({})) }, { functionDeclarations: [{}] }],
      'gemini',
    ),
  ).toEqual([[128, 129, '']]);
});

test('what was converted can be checked', () => {
  const raw = { name: 'x', inputSchema: nested(12) };
  const { tools } = defaultRegistry().convertMany([raw], 'mcp', 'openai-responses', { strict: true });
  expect(checkLimits(tools, 'openai-responses').map(({ limit }) => limit)).toEqual([
    'levels of a strict schema',
  ]);
  expect(checkLimits(tools, 'mcp')).toEqual([]);
});
