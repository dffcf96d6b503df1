import { beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findUndocumented } from '../house/documentation.ts';
import { figuresOf } from '../house/figures.ts';
import { readHabits } from '../house/habits.ts';
import { findStrayTests } from '../house/test-layout.ts';
import { ADDED_FOLDERS, ownEntries, partsOf, readSourceTree } from '../house/source-tree.ts';
import { ROOT } from './docs/example.ts';

/** The folders and files of `src` that count as the framework itself. */
const FRAMEWORK = [
  'app',
  'application',
  'application.ts',
  'attach',
  'builder',
  'call',
  'client',
  'compile',
  'container',
  'converters',
  'decorators',
  'dto',
  'engine',
  'errors',
  'features',
  'formats',
  'index.ts',
  'kernel',
  'metadata',
  'model',
  'profiles',
  'registry',
  'runtime',
  'scanner',
  'schema',
  'shared',
  'stdio-guard',
  'testing',
  'transports',
  'version',
  'workflow',
];

/**
 * What the framework may have at most, `npm run house`: lower a bound with each change that allows it. There is to be no long
 * file and no flat folder.
 */
const BOUNDS = {
  files: 751,
  lines: 104_680,
  longFiles: 0,
  singleUser: 143,
  flatFolders: 2,
};

/** Habits in names and comments that are to be unlearned. They may only become fewer. */
const HABITS = { functionsOf: 800, superlatives: 148, fragments: 207 };

/** Every exported name has a page below docs/reference, and a docstring. */
const UNDOCUMENTED = {
  valuesWithoutReference: 0,
  typesWithoutReference: 0,
  valuesWithoutDocstring: 0,
  typesWithoutDocstring: 0,
};

/** The files of `src` in which one call may run a function, `npm run house -- --call`. */
const FILES_OF_A_CALL = {
  'HTTP 2025': 17,
  'HTTP 2026': 18,
  'HTTP session': 18,
  stdio: 17,
  attach: 13,
  'app.call': 15,
};

describe('the framework', () => {
  const tree = readSourceTree();
  const framework = partsOf(tree).get('framework') ?? [];

  test('is in these folders; what was added to it is counted apart', () => {
    expect(ownEntries(tree)).toEqual(FRAMEWORK);
    expect(FRAMEWORK.filter((entry) => ADDED_FOLDERS.includes(entry))).toEqual([]);
  });

  test('is not larger, and not in more pieces, than it was', () => {
    expect(excess(figuresOf(framework), BOUNDS)).toEqual({});
  });

  test('has no more names by habit than it had', () => {
    expect(excess(readHabits(), HABITS)).toEqual({});
  });

  test('has its tests where its files are', () => {
    expect(findStrayTests(tree)).toEqual([]);
  });

  test('documents all that it exports', () => {
    const counts = Object.entries(findUndocumented()).map(([name, names]: [string, string[]]) => [
      name,
      names.length,
    ]);
    expect(excess(Object.fromEntries(counts) as Record<string, number>, UNDOCUMENTED)).toEqual({});
  });
});

describe('a call', () => {
  let files: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    const script = ['--import', '@oxc-node/core/register', 'test/house/run.ts', '--call', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: ROOT });
    files = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as typeof files;
  });

  test('passes few files, on each route', () => {
    const counts = Object.fromEntries(Object.entries(files).map(([route, { length }]) => [route, length]));
    expect(Object.keys(counts)).toEqual(Object.keys(FILES_OF_A_CALL));
    expect(excess(counts, FILES_OF_A_CALL)).toEqual({});
  });

  test('passes one file of each feature that has a stage in it', () => {
    for (const [route, passed] of Object.entries(files)) {
      const features = passed.filter((file) => file.startsWith('features/'));
      expect([route, features]).toEqual([route, ['features/budgets/fit-outcome.ts']]);
    }
  });
});

/** The figures that are above their bounds. */
function excess(figures: object, bounds: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries<number>(figures as Record<string, number>).filter(
      ([name, count]) => count > (bounds[name] ?? Infinity),
    ),
  );
}
