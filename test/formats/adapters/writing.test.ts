import { describe, expect, test } from '@jest/globals';
import {
  cloneTool,
  defaultRegistry,
  fromMcpTool,
  toMcpTool,
  type CanonicalTool,
  type Tool,
} from 'toolwright/formats';
import { brief, type Json } from '../convert.ts';
import { full, inputSchema } from './full-tool.ts';

const registry = defaultRegistry();
const emit = (to: string, tool: Partial<CanonicalTool>): ReturnType<typeof registry.convert> =>
  registry.get(to).fromCanonical({ name: 'search', inputSchema, ...tool });

const LOST = [
  'annotations',
  'category',
  'deterministic',
  'icons',
  'idempotent',
  'requiredScopes',
  'securitySchemes',
  'streaming',
  'timeoutMs',
  'uiHints',
];
/** What only A2A and MCP have a place for. */
const UNKNOWN = ['version', 'title', 'summary', 'tags', 'inputModes', 'outputModes', 'securityRequirements'];
const dropped = (...fields: readonly string[]): readonly string[] =>
  [...LOST, ...fields].sort().map((field) => `${field} /${field} dropped`);

describe('what a target cannot hold is reported once for each field', () => {
  test.each([
    ['openai', dropped(...UNKNOWN, 'examples', 'outputSchema')],
    ['openai-responses', dropped(...UNKNOWN, 'examples')],
    ['gemini', dropped(...UNKNOWN, 'examples')],
    ['mcp', []],
  ])('%s', (adapter, expected) => {
    expect(brief(emit(adapter, full).warnings)).toEqual(expected);
  });

  test('anthropic keeps examples that are objects', () => {
    const { tool, warnings } = emit('anthropic', full);
    expect((tool as Json).input_examples).toEqual([{ text: 'cats' }]);
    expect(brief(warnings).filter((each) => each.startsWith('examples'))).toEqual([
      'examples /examples/1 dropped',
    ]);
    expect(brief(emit('anthropic', { examples: ['find cats'] }).warnings)).toEqual([
      'examples /examples dropped',
    ]);
  });

  test('a2a keeps what a skill has a place for', () => {
    const { tool, warnings } = emit('a2a', full);
    expect(tool).toEqual({
      id: 'web:search:1.2.3',
      name: 'Search',
      description: 'Searches.',
      tags: ['a'],
      examples: ['{"text":"cats"}', 'find cats'],
      inputModes: ['text/plain'],
      outputModes: ['application/json'],
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    });
    const transformed = 'examples /examples/0 transformed';
    expect(brief(warnings)).toEqual(
      [...dropped('summary', 'inputSchema', 'outputSchema'), transformed].sort(byPath),
    );
  });

  test('nothing is lost that is empty, and no adapter emits the backend', () => {
    const empty = { tags: [], title: '', annotations: {}, examples: [], backend: full.backend! };
    for (const adapter of registry.list().filter((name) => name !== 'a2a')) {
      const { tool, warnings } = emit(adapter, empty);
      expect([adapter, warnings]).toEqual([adapter, []]);
      expect(JSON.stringify(tool)).not.toContain('backend');
    }
  });
});

const byPath = (a: string, b: string): number => ((a.split(' ')[1] ?? '') < (b.split(' ')[1] ?? '') ? -1 : 1);

describe('the description', () => {
  test.each([
    [{ description: 'D', summary: 'S', title: 'T' }, 'D', ['summary', 'title']],
    [{ summary: 'S', title: 'T' }, 'S', ['title']],
    [{ title: 'T' }, 'T', []],
    [{ description: '', title: 'T' }, 'T', []],
  ])('of %j is %s', (texts, expected, lost) => {
    const { tool, warnings } = emit('anthropic', texts);
    expect((tool as Json).description).toBe(expected);
    expect(warnings.map(({ feature }) => feature)).toEqual(lost);
    expect((emit('a2a', texts).tool as Json).description).toBe(expected);
  });

  test('is absent without any text, but the name in A2A', () => {
    expect(Object.keys(emit('anthropic', {}).tool as Json)).toEqual(['name', 'input_schema']);
    expect((emit('a2a', {}).tool as Json).description).toBe('search');
    expect(emit('mcp', { title: 'T' }).tool).toEqual({ name: 'search', title: 'T', inputSchema });
  });
});

test('a tool without a schema takes an object', () => {
  const tool = { name: 'ping' } as CanonicalTool;
  const written = (adapter: string, options = {}): unknown =>
    registry.get(adapter).fromCanonical(tool, options).tool;
  expect(written('mcp')).toEqual({ name: 'ping', inputSchema: { type: 'object' } });
  expect(written('openai')).toMatchObject({ function: { parameters: { type: 'object', properties: {} } } });
  expect(written('openai', { strict: true })).toMatchObject({
    function: { parameters: { type: 'object', properties: {}, required: [], additionalProperties: false } },
  });
  expect(written('anthropic')).toEqual({ name: 'ping', input_schema: { type: 'object', properties: {} } });
  expect(written('gemini')).toEqual({ functionDeclarations: [{ name: 'ping' }] });
});

test('examples of Anthropic take the form of its schema', () => {
  const schema = { type: 'object', properties: { 'a b': { type: 'string' }, any: {} } };
  const { tool } = registry
    .get('anthropic')
    .fromCanonical(
      { name: 'x', inputSchema: schema, examples: [{ 'a b': 'x', any: [1] }] },
      { strict: true },
    );
  expect((tool as Json).input_examples).toEqual([{ a_b: 'x', any: '[1]' }]);
});

test('the tool model has an MCP tool in it', () => {
  const tool: Tool = {
    namespace: 'n',
    version: '1.0.0',
    tags: ['t'],
    backend: { kind: 'local', name: 'b' },
    name: 'x',
    title: 'X',
    inputSchema,
  };
  expect(toMcpTool(tool)).toEqual({ name: 'x', title: 'X', inputSchema });
  expect(fromMcpTool(toMcpTool(tool))).toEqual({ name: 'x', title: 'X', inputSchema });
  const copy = cloneTool(tool);
  expect(copy).toEqual(tool);
  expect(copy.inputSchema).not.toBe(tool.inputSchema);
});
