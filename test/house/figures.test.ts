import { expect, test } from '@jest/globals';
import { codeNames } from './documentation.ts';
import { figuresOf, flatFolders, longFiles, singleUserFiles } from './figures.ts';
import { ownEntries, partsOf, sourceTreeOf } from './source-tree.ts';
import { strayTests } from './test-layout.ts';

const tree = sourceTreeOf(
  new Map([
    ['index.ts', "export { a } from './a/a.ts';\nexport type { B } from './a/b.ts';\n"],
    [
      'a/a.ts',
      "import { type B } from './b.ts';\nimport 'node:fs';\nexport const a: B = await import('../c.ts');\n",
    ],
    ['a/b.ts', "/** import { x } from './a.ts' */\nexport type B = unknown;\n"],
    ['c.ts', 'export {};'],
    ['cli/main.ts', "import '../index.ts';\n"],
  ]),
);

test('a file has the users that import it, as types or dynamically, too', () => {
  expect(Object.fromEntries(tree.map(({ path, users }) => [path, users]))).toEqual({
    'index.ts': ['cli/main.ts'],
    'a/a.ts': ['index.ts'],
    'a/b.ts': ['index.ts', 'a/a.ts'],
    'c.ts': ['a/a.ts'],
    'cli/main.ts': [],
  });
});

test('what was added to the framework has figures of its own', () => {
  expect(ownEntries(tree)).toEqual(['a', 'c.ts', 'index.ts']);
  expect([...partsOf(tree)].map(([part, files]) => [part, files.map(({ path }) => path)])).toEqual([
    ['framework', ['index.ts', 'a/a.ts', 'a/b.ts', 'c.ts']],
    ['cli', ['cli/main.ts']],
  ]);
});

test('the figures count files, lines, the median, and files with a single user', () => {
  expect(figuresOf(tree)).toEqual({
    files: 5,
    lines: 9,
    median: 2,
    longFiles: 0,
    singleUser: 3,
    flatFolders: 0,
  });
  expect(singleUserFiles(tree)).toEqual(['index.ts', 'a/a.ts', 'c.ts']);
  expect(figuresOf([])).toMatchObject({ files: 0, lines: 0, median: 0 });
  expect(figuresOf(tree.filter(({ lines }) => lines !== 3).slice(0, 2)).median).toBe(2);
});

test('a file is long above 500 lines, and a folder flat above 25 files of its own', () => {
  const file = (path: string, lines = 1) => ({ path, lines, users: [] });
  expect(longFiles([file('a.ts', 500), file('b.ts', 501)])).toEqual(['b.ts']);
  const many = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => file(`${folder}/${String(index)}.ts`));
  expect(flatFolders([...many('a', 25), ...many('a/b', 26)])).toEqual(['a/b']);
});

test('a test is named after a file or folder of src, and may add an aspect', () => {
  const tests = ['a/b.test.ts', 'a/b.property.test.ts', 'a/c.test.ts', 'a/c.slow.test.ts', 'a/d/e.test.ts'];
  expect(strayTests([...tests, 'features/x.test.ts', 'a/helper.ts'], ['a/b.ts', 'a/d/f.ts'])).toEqual([
    'a/c.test.ts',
    'a/c.slow.test.ts',
    'a/d/e.test.ts',
  ]);
  expect(strayTests(tests, ['a/b.ts', 'a/c/f.ts', 'a/d/e.ts'])).toEqual([]);
});

test('a name is explained where it stands in the code of a page', () => {
  const names = codeNames(['Say `new Store({ path })`.\n\n```ts\nawait open(Store);\n```\n\nOther words.\n']);
  expect([...names].sort()).toEqual(['Store', 'await', 'new', 'open', 'path', 'ts']);
});
