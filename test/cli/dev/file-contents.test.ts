import { expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import { changedFiles, filesIn, readContents } from '../../../src/cli/dev/file-contents.ts';

test('a file that was not known has changed, also one that cannot be read', () => {
  const before = new Map([
    ['same', 'a'],
    ['other', 'b'],
    ['gone', undefined],
  ]);
  const now = new Map([...before, ['other', 'c'], ['missing', undefined]] as [string, string | undefined][]);
  expect(changedFiles(before, now)).toEqual(['other', 'missing']);
});

test('equal contents are equal, whatever the time of the file', () => {
  const file = import.meta.filename;
  expect(changedFiles(readContents([file]), readContents([file]))).toEqual([]);
  expect(readContents([`${file}.missing`]).get(`${file}.missing`)).toBeUndefined();
});

test('the files of folders are those directly in them', () => {
  const files = filesIn([dirname(import.meta.dirname)]);
  expect(files).toContain(join(dirname(import.meta.dirname), 'program.test.ts'));
  expect(files).not.toContain(import.meta.dirname);
});
