import { expect, test } from '@jest/globals';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readReference } from '../../../src/cli/target/entry.ts';

const file = fileURLToPath(import.meta.url);

test.each<readonly [string, string, string | undefined]>([
  ['a path', file, undefined],
  ['a path with an export', `${file}#app`, 'app'],
  ['a URL', pathToFileURL(file).href, undefined],
  ['a URL with an export', `${pathToFileURL(file).href}#app`, 'app'],
])('%s names a file', (_, reference, name) => {
  expect(readReference(reference)).toEqual({ file, name });
});

test('a URL of a file that does not exist is an error with its path', () => {
  expect(() => readReference('file:///no/such/server.ts')).toThrow('/no/such/server.ts does not exist');
});
