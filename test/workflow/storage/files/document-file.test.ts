import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FileWorkflowStorage } from '../../../../src/workflow/storage/files/file-workflow-storage.ts';
import { documentOf, invalidDocumentOf } from '../documents.ts';
import { refusal } from '../../../support/workflow-refusal.ts';
import { makeDirectory } from './workflow-directory.ts';

describe('saving', () => {
  test('replaces the file that has the workflow, whatever its name, and keeps its permissions', async () => {
    const directory = await makeDirectory({ 'Some name.json': documentOf('abc') });
    const storage = new FileWorkflowStorage({ directory, writable: true });
    // The second one is more than most processes give to their new files
    for (const mode of [0o600, 0o666]) {
      await chmod(join(directory, 'Some name.json'), mode);
      await storage.save?.(documentOf('abc', 'New'));
      expect((await stat(join(directory, 'Some name.json'))).mode & 0o777).toBe(mode);
    }
    expect(await readdir(directory)).toEqual(['Some name.json']);
    expect(JSON.parse(await readFile(join(directory, 'Some name.json'), 'utf8'))).toEqual(
      documentOf('abc', 'New'),
    );
  });

  test('leaves nothing behind when it is refused', async () => {
    const directory = await makeDirectory();
    const storage = new FileWorkflowStorage({ directory, writable: true, maxFileBytes: 500 });
    const large = { ...documentOf('large'), description: 'x'.repeat(500) };
    for (const workflow of [invalidDocumentOf('empty'), large, { ...documentOf('a'), id: '../a' }]) {
      expect((await refusal(storage.save!(workflow))).code).toBe('INVALID_WORKFLOW');
    }
    expect(await readdir(directory)).toEqual([]);
  });

  test('does not replace a file that holds something else', async () => {
    const directory = await makeDirectory({ 'new-one.json': documentOf('other') });
    const storage = new FileWorkflowStorage({ directory, writable: true });
    const { code, details } = await refusal(storage.save!(documentOf('new-one')));
    expect({ code, details }).toEqual({
      code: 'STORAGE_ERROR',
      details: { operation: 'save', cause: 'EEXIST' },
    });
    expect(await storage.getById('other')).toEqual(documentOf('other'));
  });

  test('makes no file that would not be read', async () => {
    const directory = await makeDirectory({ 'a.json': documentOf('one'), 'b.json': '{' });
    const storage = new FileWorkflowStorage({ directory, writable: true, maxFiles: 2 });
    expect((await refusal(storage.save!(documentOf('new-one')))).details).toEqual({
      operation: 'save',
      cause: 'TOO_MANY_FILES',
    });
    await storage.save!(documentOf('one', 'New'));
    expect((await storage.getById('one'))?.name).toBe('New');
    expect(await readdir(directory)).toEqual(['a.json', 'b.json']);
  });

  test('writes to no file that leads out of the directory', async () => {
    const outside = await makeDirectory({ 'hidden.json': documentOf('hidden') });
    const directory = await makeDirectory();
    await symlink(join(outside, 'hidden.json'), join(directory, 'linked.json'));
    const storage = new FileWorkflowStorage({ directory, writable: true });
    for (const id of ['linked', 'hidden']) {
      const { code, details } = await refusal(storage.save!(documentOf(id, 'New')));
      expect({ code, details }).toEqual({ code: 'SECURITY_ERROR', details: { action: 'save' } });
    }
    expect(await readdir(directory)).toEqual(['linked.json']);
    expect(JSON.parse(await readFile(join(outside, 'hidden.json'), 'utf8'))).toEqual(documentOf('hidden'));
  });

  test('goes one after the other, and ends with the last', async () => {
    const directory = await makeDirectory();
    const storage = new FileWorkflowStorage({ directory, writable: true });
    const names = Array.from({ length: 10 }, (_, index) => `Name ${String(index)}`);
    await Promise.all(names.map((name) => storage.save!(documentOf('one', name))));
    expect((await storage.getById('one'))?.name).toBe('Name 9');
    expect(await readdir(directory)).toEqual(['one.json']);
  });

  test('reports a directory that is gone', async () => {
    const directory = await makeDirectory();
    const storage = new FileWorkflowStorage({ directory: join(directory, 'gone'), writable: true });
    const { details } = await refusal(storage.save!(documentOf('a-b')));
    expect(details).toEqual({ operation: 'save', cause: 'ENOENT' });
  });
});
