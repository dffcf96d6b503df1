import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { layOut } from '../../.ci/format.mjs';
import { drawChart } from '../../bench/compare/draw-chart.ts';
import { findDisagreements, type MeasuredFile, type MeasuredRow } from '../../bench/compare/measured.ts';
import { readComparison, repairRows } from '../../bench/compare/read-results.ts';
import { isBehind, writePage } from '../../bench/compare/write-page.ts';
import { generateTools } from '../../bench/tokens/generated-tools.ts';

const docs = join(import.meta.dirname, '../../docs');

function file(values: MeasuredRow['values'], name = 'calls'): MeasuredFile {
  const row = { name, unit: '× bare', better: 'more', values } as const;
  return { date: '2026-11-28', machine: { node: 'v20', cpus: 2 }, versions: {}, rows: [row] };
}

describe('the comparison with other frameworks', () => {
  test('the page is what the files of results give: npm run compare', async () => {
    const written = await layOut('comparison.md', writePage(readComparison()));
    expect(written).toBe(await readFile(join(docs, 'comparison.md'), 'utf8'));
  });

  test.each(['light', 'dark'] as const)('the %s picture is what the files of results give', async (theme) => {
    const drawn = await readFile(join(docs, `images/comparison-${theme}.svg`), 'utf8');
    expect(drawChart(readComparison(), theme)).toBe(drawn);
  });

  test('every row in which another framework has a better figure stands first', () => {
    const page = writePage(readComparison());
    const behind = page.slice(page.indexOf('## Where Toolwright is behind'), page.indexOf('## What else'));
    for (const row of readComparison().rows)
      expect([row.name, behind.includes(row.name)]).toEqual([row.name, isBehind(row)]);
    expect(behind).toContain('Installed size');
  });

  test('a feature that Toolwright has names a file of the repository, and each cell a source', () => {
    const { features, documents } = readComparison();
    const columns = Object.keys(documents.columns);
    for (const { name, own, test: file, others } of features) {
      expect([name, file !== undefined && existsSync(join(docs, '..', file))]).toEqual([
        name,
        own !== 'no' && !/^\d+$/.test(own),
      ]);
      for (const [column, { value, source }] of Object.entries(others))
        expect([name, columns.includes(column), value !== '', source]).toEqual([
          name,
          true,
          true,
          expect.stringMatching(/^https:/),
        ]);
    }
  });

  test('each link of the page to a document has its address at the end', () => {
    const page = writePage(readComparison());
    const linked = [...page.matchAll(/\]\[(\d+)\]/g)].map(([, place]) => place);
    const addresses = [...page.matchAll(/^\[(\d+)\]: https:/gm)].map(([, place]) => place);
    expect(linked.length).toBeGreaterThan(200);
    expect(new Set(linked)).toEqual(new Set(addresses));
  });

  test('a row is behind when one other figure is better, and not when none was measured', () => {
    const row = (better: MeasuredRow['better'], values: MeasuredRow['values']): MeasuredRow => ({
      ...{ name: 'x', unit: 'x', better, values },
    });
    expect(isBehind(row('more', { toolwright: 2, tmcp: 1, fastmcp: 3 }))).toBe(true);
    expect(isBehind(row('less', { toolwright: 2, tmcp: 1, fastmcp: 3 }))).toBe(true);
    expect(isBehind(row('less', { toolwright: 1, tmcp: 1, fastmcp: 'not measured: it failed' }))).toBe(false);
    expect(isBehind(row('more', { toolwright: 1 }))).toBe(false);
  });

  test('figures of repair stand in the columns of their frameworks, and are not measured without a file', () => {
    const interval = { share: 0.9, low: 0.8, high: 0.95 };
    const servers = ['toolwright', 'sdk-v2', 'mcp-nest'].map((name, place) => ({
      ...{ name, interval, silent: { otherwise: place }, tokens: { median: 100 + place } },
    }));
    const [share, silent, tokens] = repairRows({ servers });
    expect(share?.values['SDK v2']).toEqual({ median: 90, minimum: 80, maximum: 95 });
    expect(silent?.values).toEqual({ toolwright: 0, 'SDK v2': 1, '@rekog/mcp-nest': 2 });
    expect(tokens).toMatchObject({ better: 'less', values: { toolwright: 100, '@rekog/mcp-nest': 102 } });
    expect(repairRows(undefined).map(({ values }) => values)).toEqual([{}, {}, {}]);
  });

  test('two runs contradict each other where their rounds have no value in common, or a count differs', () => {
    const spread = (minimum: number, maximum: number) => ({
      median: (minimum + maximum) / 2,
      minimum,
      maximum,
    });
    const first = file({ toolwright: spread(8, 10), tmcp: 120 });
    expect(findDisagreements(first, first)).toEqual([]);
    expect(findDisagreements(first, file({ toolwright: spread(10, 12), tmcp: 120 }))).toEqual([]);
    expect(findDisagreements(first, file({ toolwright: spread(11, 12), tmcp: 121 }))).toEqual([
      'calls, toolwright: 8.00 to 10.0 and 11.0 to 12.0',
      'calls, tmcp: 120 and 121',
    ]);
    expect(findDisagreements(file({ tmcp: 120 }), file({ tmcp: 120 }, 'starts'))).toEqual([
      'calls, tmcp: 120 and nothing',
      'starts, tmcp: nothing and 120',
    ]);
  });

  test('generates a thousand tools with names of their own, and the same for the same seed', () => {
    const tools = generateTools(7);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(1000);
    expect(generateTools(7)).toEqual(tools);
    expect(generateTools(8)).not.toEqual(tools);
  });
});
