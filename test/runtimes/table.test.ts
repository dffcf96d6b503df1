import { expect, test } from '@jest/globals';
import { runtimeTable, sameText, withTable } from './table.ts';
import type { Way } from './servers.ts';
import { BUN_VERSION } from './versions.ts';

const way = (form: Way['form'], transport: Way['transport']): Way => ({
  runtime: { name: 'Bun', version: BUN_VERSION, command: 'bun', args: [], runsSources: true },
  form,
  transport,
});
const rowOf = (ways: readonly Way[]): string | undefined =>
  runtimeTable({ ways, workers: ['sandbox', 'workerd'] })
    .split('\n')
    .find((line) => line.includes('Bun'));

test('the table says what was seen, and nothing else', () => {
  expect(rowOf([])).toBe(`| Bun ${BUN_VERSION} | no | no |`);
  expect(rowOf([way('compiled', 'HTTP'), way('compiled', 'stdio'), way('source', 'HTTP')])).toBe(
    `| Bun ${BUN_VERSION} | HTTP, stdio | HTTP |`,
  );
});

test('a page without a place for the table is found out', () => {
  expect(withTable('# A page', '| a |')).toBeUndefined();
});

test('the table replaces the one before, and what differs in its widths alone is the same', () => {
  const page = 'before\n<!-- runtimes: npm run runtimes -- --write -->\n\nold\n\n<!-- /runtimes -->\nafter';
  expect(withTable(page, '| new |')).toBe(page.replace('old', '| new |'));
  expect(sameText('| a   | --- |', '| a | - |')).toBe(true);
  expect(sameText('| a |', '| b |')).toBe(false);
});
