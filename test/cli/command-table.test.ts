import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { ROOT } from '../pins/docs/example.ts';
import { commandPages } from './command-pages.ts';

test('has a page for each command: `npm run docs:commands` writes what it says', async () => {
  const pages = await commandPages();
  const stale = [...pages].filter(([path, text]) => readFileSync(`${ROOT}${path}`, 'utf8') !== text);
  expect(stale.map(([path]) => path)).toEqual([]);
  expect(pages.size).toBe(COMMANDS.length + 1);
});

test('names commands and options once', () => {
  const names = COMMANDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { options } of COMMANDS) {
    const flags = options.map((option) => option.flags);
    expect(new Set(flags).size).toBe(flags.length);
  }
});

test('begins the help of each command with an example of it', () => {
  for (const { name, examples } of COMMANDS) {
    expect(examples.length).toBeGreaterThan(0);
    for (const [line] of examples) expect(line).toMatch(new RegExp(`^${name}\\b`));
  }
});
