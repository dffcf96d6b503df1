import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import { chooseEntry, findEntries, isTarget } from '../../../src/cli/target/default-entry.ts';
import { CommandFolder } from '../../support/command-line.ts';

const SERVER = `import { Action, Module, ToolGroup } from 'toolwright';
@ToolGroup('notes') class Notes { @Action() list() { return 'none'; } }
@Module({ controllers: [Notes] }) export class App {}`;

let folder: CommandFolder;
beforeEach(() => {
  folder = new CommandFolder({ 'package.json': '{}' });
});
afterEach(() => {
  folder.remove();
});

const setEntry = (entry: unknown): void => {
  folder.write('package.json', JSON.stringify({ toolwright: { entry } }));
};
const found = (): readonly string[] => findEntries(folder.path).map((entry) => resolve(entry));
const at = (path: string): string => resolve(folder.path, path);

describe('the default entry', () => {
  test('is what package.json names, also with the name of an export, and from a folder inside', () => {
    folder.write('app/tools.ts', SERVER);
    folder.write('server.ts', SERVER);
    setEntry('app/tools.ts#App');
    expect(found()).toEqual([at('app/tools.ts#App')]);
    expect(findEntries(at('app')).map((entry) => resolve(entry))).toEqual([at('app/tools.ts#App')]);
  });

  test.each([[[]], [['src/server.ts']], [['server.mts']], [['src/main.js', 'server.ts']]])(
    'is else one of the files that are called as entries are: %j',
    (files) => {
      for (const file of [...files, 'other.ts', 'src/other.ts']) folder.write(file, SERVER);
      expect(found().toSorted()).toEqual(files.map(at).toSorted());
    },
  );

  test.each([
    [{ toolwright: { entry: 'gone.ts' } }, {}, /gone\.ts does not exist, and .*package\.json names it/],
    [{ toolwright: { entry: 7 } }, {}, /has a "toolwright.entry" that is not a path/],
    [{}, { 'src/server.ts': '', 'main.ts': '' }, /there are .*src\/server\.ts, .*main\.ts/],
    [{}, {}, /is a folder in which no file is known to be its entry/],
  ])('that is not a file is refused: %j %j', (manifest, files, words) => {
    folder.write('package.json', JSON.stringify(manifest));
    for (const [file, text] of Object.entries(files)) folder.write(file, text);
    expect(() => chooseEntry(folder.path)).toThrow(words);
  });
});

test.each([
  ['server.ts', true],
  ['src/server.ts', true],
  ['server.ts#App', true],
  ['missing.mjs', true],
  ['.', true],
  ['..', true],
  ['./notes', true],
  ['http://127.0.0.1:3000/mcp', true],
  ['notes', false],
  ['notes.list', false],
  ['notes://today', false],
  ['weekly-report', false],
])('%s is a target: %s', (value, expected) => {
  expect(isTarget(value)).toBe(expected);
});

describe('a command without a path', () => {
  test.each([
    [['list', '--names'], 'notes.list'],
    [['call', 'notes.list'], 'none'],
    [['call', '.', 'notes.list'], 'none'],
  ])('%j takes the entry of package.json', async (args, words) => {
    folder.write('src/server.ts', SERVER);
    setEntry('src/server.ts');
    const { exitCode, stdout, stderr } = await folder.run(args);
    expect([exitCode, stdout.trim(), stderr]).toEqual([0, words, '']);
  });

  test.each([
    [['run'], 'names no server'],
    [['check', 'src/sevrer.ts'], 'did you mean "src/server.ts"?'],
    [['check', 'package.json'], 'package.json is not a file of TypeScript or JavaScript'],
  ])('%j ends with 2 where there is none', async (args, words) => {
    if (args.length > 1 && args[1]?.includes('sevrer') === true) folder.write('src/server.ts', SERVER);
    else folder.write('src/other.ts', SERVER);
    const { exitCode, stdout, stderr } = await folder.run(args);
    expect(stderr).toContain(words);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});
