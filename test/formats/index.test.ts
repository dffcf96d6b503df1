import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import {
  ConversionError,
  defaultRegistry,
  SCHEMA_FEATURES,
  a2aAdapter,
  splitDeclarations,
} from 'toolwright/formats';
import { adapterOf, write, writeProperty, type Json, brief } from './convert.ts';
import { cellsOf, COLUMNS, DECIDED_CELLS, type Column } from './decided-matrix.ts';
import { matrixCells, matrixPage } from './matrix-page.ts';
import { PROBES, type Probe } from './probes.ts';
import { errorOf } from '../support/thrown.ts';

describe('the matrix', () => {
  test('is what was decided', () => {
    const [head, ...rows] = matrixCells();
    expect(head).toEqual(['keyword', ...COLUMNS]);
    expect(rows).toEqual(DECIDED_CELLS);
  });

  test('is what the documentation shows: `npm run formats:matrix` writes it', async () => {
    const page = await readFile(new URL('../../docs/formats-matrix.md', import.meta.url), 'utf8');
    expect(page).toBe(matrixPage());
  });

  test('has a probe for each of its rows', () => {
    const rows = new Set([...PROBES.map(({ row }) => row), 'optional property']);
    expect([...rows].sort()).toEqual(DECIDED_CELLS.map(([label = '']) => label).sort());
  });
});

interface Measured {
  readonly letter: string;
  readonly warnings: readonly string[];
}

/** The letter that a conversion shows, by what is emitted and what is warned of. */
function measure(column: Column, probe: Probe): Measured {
  try {
    const { schema, keyword, feature = keyword } = probe;
    const isRoot = probe.at === 'root';
    const written = isRoot
      ? { ...write(column, schema), value: {} }
      : writeProperty(column, schema, probe.defs);
    const emitted = isRoot ? written.schema : written.value;
    const own = written.warnings.filter((each) => each.feature === feature);
    const others = written.warnings.filter((each) => each.feature !== feature);
    const warnings = others.map((each) => `${each.feature} ${each.action}`);
    const actions = { transformed: 'T', described: 'D', dropped: 'X' } as const;
    if (own[0] !== undefined) return { letter: own.map(({ action }) => actions[action]).join(''), warnings };
    return { letter: isKept(emitted, schema, keyword, column) ? 'K' : 't', warnings };
  } catch (error) {
    if (error instanceof ConversionError) return { letter: 'E', warnings: [] };
    throw error;
  }
}

function isKept(emitted: Json, schema: unknown, keyword: string, column: Column): boolean {
  if (keyword === 'value' && typeof schema === 'boolean') return (emitted as unknown) === schema;
  if (keyword === 'value') return Object.keys(emitted).length === 0;
  if (!Object.hasOwn(emitted, keyword)) return !Object.hasOwn(schema as Json, keyword);
  return column === 'gemini-openapi' || keyword === 'allOf' || keyword === 'anyOf'
    ? typeof emitted[keyword] === typeof (schema as Json)[keyword] ||
        typeof (schema as Json)[keyword] === 'number'
    : JSON.stringify(emitted[keyword]) === JSON.stringify((schema as Json)[keyword]);
}

function declared(column: Column, probe: Probe): string {
  const cell = cellsOf(probe.row)[COLUMNS.indexOf(column)] ?? '';
  const options = cell.split(' / ');
  const picked = probe.picks?.(options, column) ?? options[0] ?? '';
  return (picked === '' ? cell : picked).charAt(0);
}

const cells = PROBES.flatMap((probe) =>
  COLUMNS.map((column) => [probe.row, JSON.stringify(probe.schema), column, probe] as const),
);

describe('each cell', () => {
  test.each(cells)('%s: %s to %s', (_row, _schema, column, probe) => {
    const { letter, warnings } = measure(column, probe);
    expect(letter).toBe(declared(column, probe));
    expect(warnings).toEqual(probe.also?.[column] ?? []);
  });

  test.each(COLUMNS)('optional property to %s', (column) => {
    const { schema, warnings } = write(column, { type: 'object', properties: { a: { type: 'string' } } });
    expect(warnings).toEqual([]);
    const isRequired = JSON.stringify(schema.required) === '["a"]';
    expect(isRequired).toBe(cellsOf('optional property')[COLUMNS.indexOf(column)] === 't');
  });
});

describe('supportsFeature', () => {
  test('names each keyword of the matrix once', () => {
    expect(new Set(SCHEMA_FEATURES).size).toBe(SCHEMA_FEATURES.length);
    expect(SCHEMA_FEATURES).toEqual(
      expect.arrayContaining(['anyOf', '$ref', 'prefixItems', 'writeOnly', '$comment']),
    );
  });

  test.each(COLUMNS)('answers by the first letter of the cells of %s', (column) => {
    const [adapter, options] = adapterOf(column);
    const supports = (feature: string, row: string): void => {
      const letter = cellsOf(row)[COLUMNS.indexOf(column)]?.charAt(0) ?? '';
      const answer = defaultRegistry().get(adapter).supportsFeature(feature, options);
      expect([feature, answer]).toEqual([feature, letter === 'K' || letter === 't']);
    };
    supports('oneOf', 'nested oneOf -> anyOf');
    supports('allOf', 'nested allOf');
    supports('not', 'not, if/then/else, dependentRequired, dependentSchemas');
    supports('enum', 'enum of strings');
    supports('const', 'const, string');
    supports('additionalProperties', 'additionalProperties: schema or explicit true');
    supports(
      'contentSchema',
      'patternProperties, propertyNames, contains, min/maxContains, unevaluated*, content*',
    );
    supports('$defs', 'local $ref, $defs');
    supports('examples', 'examples');
  });

  test('is false for all in A2A, which carries no schemas', () => {
    const a2a = defaultRegistry().get('a2a');
    expect(SCHEMA_FEATURES.filter((feature) => a2a.supportsFeature(feature))).toEqual([]);
  });
});

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
