import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { ConversionError, defaultRegistry, SCHEMA_FEATURES } from 'toolwright/formats';
import { adapterOf, write, writeProperty, type Json } from './convert.ts';
import { cellsOf, COLUMNS, DECIDED_CELLS, type Column } from './decided-matrix.ts';
import { matrixCells, matrixPage } from './matrix-page.ts';
import { PROBES, type Probe } from './probes.ts';

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
