import { describe, expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { ROOT } from '../pins/docs/example.ts';
import { readImports } from './imports.ts';
import { countResults } from './mutant-result.ts';
import { isProgram, mutationsIn } from './mutations.ts';
import { SuiteFinder } from './nearest-suites.ts';
import { findPlace, mutate, type Place } from './place.ts';
import { readPlaces } from './places.ts';
import { runCommand } from './run-command.ts';
import { readTexts } from './sources.ts';

/** A list of which more is gone says too little, and is made again: `npm run mutants -- --make-list`. */
const MAX_GONE = 20;

describe('the list', () => {
  const sources = readTexts(`${ROOT}src`);
  const places = readPlaces();

  test('names 80 places whose code stands once in src, but for a few that are gone', () => {
    const counts = places.map((place) => findPlace(place, sources).length);
    const ambiguous = places.filter((_, index) => (counts[index] ?? 0) > 1);
    expect(ambiguous.map(({ line }) => line)).toEqual([]);
    expect(counts).toHaveLength(80);
    expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(MAX_GONE);
  });

  test('changes the line of each place, and no other', () => {
    for (const place of places) {
      const [spot] = findPlace(place, sources);
      if (spot === undefined) continue;
      const original = sources.get(spot.path) ?? '';
      const [before, after] = [original.split('\n'), mutate(original, spot, place).split('\n')];
      expect(after).toHaveLength(before.length);
      const changed = before.flatMap((line, index) => (line === after[index] ? [] : [index + 1]));
      expect(changed).toEqual([spot.line]);
      expect(after[spot.line - 1]?.trim()).toBe(place.becomes);
    }
  });
});

test('a place is where its line and the lines around it are, in whichever file', () => {
  const sources = new Map([
    ['a.ts', 'one();\n  if (x) return;\ntwo();\n'],
    ['b/c.ts', 'one();\nif (x) return;\nthree();\n'],
  ]);
  const place: Place = { mutation: 'drop early exit', line: 'if (x) return;', becomes: '' };
  const spots = (more: Partial<Place>) => findPlace({ ...place, ...more }, sources);
  const [first, second] = [
    { path: 'a.ts', line: 2 },
    { path: 'b/c.ts', line: 2 },
  ];
  expect(spots({})).toEqual([first, second]);
  expect(spots({ before: 'one();' })).toEqual([first, second]);
  expect(spots({ before: 'one();', after: 'three();' })).toEqual([second]);
  expect(spots({ line: 'if (y) return;' })).toEqual([]);
  expect(mutate(sources.get('a.ts') ?? '', first, { ...place, becomes: 'return;' })).toBe(
    'one();\n  return;\ntwo();\n',
  );
});

test.each([
  ['if (a === b) c();', ['!== if (a !== b) c();', 'drop call if (a === b) ;']],
  ['if (!a) return;', ['drop early exit ', 'drop ! if (a) return;']],
  ['const c = a && b;', ['drop left of && const c = b;', 'drop right of && const c = a;']],
  ['const c = a < 5;', ['<= const c = a <= 5;', '> const c = a > 5;', 'number off by one const c = a < 6;']],
  ['const c = a ?? true;', ['|| const c = a || true;', 'true to false const c = a ?? false;']],
  ['const c = a ?? b;', []],
  ['const c = a ? b : d;', ['swap branches const c = a ? d : b;']],
  ["import { a } from './b.ts';", []],
  ['type A = 1 | true;', []],
])('the mutations of %s', (text, expected) => {
  const found = mutationsIn('a.ts', `\n  ${text}\n`);
  expect(found.map(({ line }) => line)).toEqual(found.map(() => 2));
  expect(
    found.map(({ mutation, becomes }) => `${mutation.replace(/^\S+ to (?=\W)/, '')} ${becomes}`),
  ).toEqual(expected);
});

test('a text that does not parse is not a mutant', () => {
  expect(isProgram('const c = a ?? b ?? 1;')).toBe(true);
  expect(isProgram('const c = a || b ?? 1;')).toBe(false);
});

test('the nearest suites are those of the name, then those of the folder and those that few imports lead from', () => {
  const files = new Map([
    ['src/index.ts', "export { a } from './a/a.ts';"],
    ['src/a/a.ts', 'export const a = 1;'],
    ['test/a/a.test.ts', "import { a } from '../../src/a/a.ts';"],
    ['test/a/a.more.test.ts', "import { a } from 'toolwright';"],
    ['test/a/other.test.ts', ''],
    ['test/a/a.command.test.ts', "import '../support/command.ts';"],
    ['test/behaviour/far.test.ts', "await import('toolwright');"],
    ['test/behaviour/process.test.ts', "new URL('../support/server.ts', import.meta.url)"],
    ['test/behaviour/apart.test.ts', ''],
    ['test/support/command.ts', "const MAIN = 'dist/cli/main.js';"],
    ['test/support/server.ts', "import { a } from 'toolwright';"],
  ]);
  const finder = new SuiteFinder(files, readImports(files, new Map([['toolwright', 'src/index.ts']])));
  expect(finder.find('src/a/a.ts')).toEqual({
    direct: ['test/a/a.more.test.ts', 'test/a/a.test.ts'],
    near: ['test/a/other.test.ts', 'test/behaviour/far.test.ts', 'test/behaviour/process.test.ts'],
    built: ['test/a/a.command.test.ts'],
    core: [],
  });
});

test('a mutant that is found by its time is killed, and one that is gone says nothing', () => {
  const place: Place = { mutation: '=== to !==', line: 'a === b', becomes: 'a !== b' };
  const results = (['killed', 'timed out', 'survived', 'gone', 'ambiguous', 'not run'] as const).map(
    (outcome) => ({ place, outcome, seconds: 1 }),
  );
  expect(countResults(results)).toEqual({ places: 6, killed: 2, survived: 1, unknown: 3 });
});

test('a command ends with its code and its output, or at its limit', async () => {
  const { signal } = new AbortController();
  const failed = await runCommand(['-e', 'console.log("said"); process.exit(3)'], tmpdir(), {
    seconds: 60,
    signal,
  });
  expect(failed).toMatchObject({ exitCode: 3, output: 'said\n' });
  const endless = ['-e', 'setInterval(() => {}, 1000)'];
  expect(await runCommand(endless, tmpdir(), { seconds: 0.1, signal })).toMatchObject({
    exitCode: undefined,
  });
});
