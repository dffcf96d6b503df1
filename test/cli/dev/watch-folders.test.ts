import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderWatcher } from '../../../src/cli/dev/watch-folders.ts';
import { eventually } from '../../support/eventually.ts';

let folder: string;
let watcher: FolderWatcher;
let calls: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watched-'));
  calls = 0;
  watcher = new FolderWatcher(() => (calls += 1));
});

afterEach(async () => {
  watcher.close();
  await rm(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);

/** Saves a file with one event: to write into it has several, which are two saves where time passes between them. */
async function save(name: string, text: string): Promise<void> {
  await writeFile(at(`${name}.new`), text);
  await rename(at(`${name}.new`), at(name));
}

test('a save is seen twice, and over when nothing was written since', async () => {
  expect(watcher.follow([at('a.ts')], [])).toBe(true);
  expect(await watcher.isOver(performance.now())).toBe(true);
  const before = performance.now();
  await save('a.ts', 'one');
  await eventually(() => calls > 0);
  expect(await watcher.isOver(before)).toBe(false);
  expect(await watcher.isOver(performance.now())).toBe(true);
  await eventually(() => calls === 2);
  await save('a.ts', 'two');
  await eventually(() => calls === 4);
});

test('what was written and has not been reported yet is waited for', async () => {
  watcher.follow([at('a.ts')], []);
  const before = performance.now();
  await writeFile(at('a.ts'), 'one');
  expect(await watcher.isOver(before)).toBe(false);
});

test('a folder that is renamed, and those above it, are seen to go and to come back', async () => {
  await mkdir(at('project/src'), { recursive: true });
  await writeFile(at('project/src/a.ts'), 'one');
  const follow = (): boolean => watcher.follow([at('project/src/a.ts')], []);
  follow();
  for (const [from, to] of [
    ['project', 'away'],
    ['away', 'project'],
    ['project/src', 'project/lib'],
    ['project/lib', 'project/src'],
  ] as const) {
    const before = calls;
    await rename(at(from), at(to));
    await eventually(() => calls > before);
    await watcher.isOver(performance.now());
    follow();
  }
  // It is watched where it came back
  const before = calls;
  await save('project/src/a.ts', 'two');
  await eventually(() => calls > before);
});

test('other files of the folder may be written all the time', async () => {
  watcher.follow([at('a.ts')], []);
  const before = performance.now();
  await writeFile(at('server.log'), 'one');
  expect(await watcher.isOver(before)).toBe(true);
  // Where names keep the case in which they were first written
  await writeFile(at('A.TS'), 'two');
  await eventually(() => calls > 0);
});

test('of a folder that is watched as a whole, every file matters', async () => {
  expect(watcher.follow([], [folder])).toBe(true);
  await writeFile(at('new.json'), '{}');
  await eventually(() => calls > 0);
  expect(watcher.follow([at('a.ts')], [])).toBe(false);
});

test('a folder that comes later, or comes back, is watched by the next call', async () => {
  const files = [at('later/a.ts')];
  expect(watcher.follow(files, [])).toBe(false);
  await mkdir(at('later'));
  expect(watcher.follow(files, [])).toBe(true);
  await writeFile(at('b.ts'), 'one');
  await rename(at('b.ts'), at('later/a.ts'));
  await eventually(() => calls > 0);
});
