import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FileWorkflowStorage } from '../../../../src/workflow/storage/files/file-workflow-storage.ts';
import { documentOf } from '../documents.ts';
import { refusal } from '../../../support/workflow-refusal.ts';
import { idsOf, toldBy } from '../told-by.ts';
import { makeDirectory } from './workflow-directory.ts';

describe('what leads out of the directory, or is not a file', () => {
  test('is left out of lists, and refused when asked for', async () => {
    const outside = await makeDirectory({ 'hidden.json': documentOf('hidden') });
    const directory = await makeDirectory({ 'good.json': documentOf('good') });
    await symlink(join(outside, 'hidden.json'), join(directory, 'linked.json'));
    const storage = new FileWorkflowStorage({ directory });
    expect(await idsOf(storage)).toEqual(['good']);
    expect(await toldBy(storage)).toContain('SECURITY_ERROR linked.json');
    for (const id of ['linked', 'hidden']) {
      const { code, details } = await refusal(storage.getById(id));
      expect({ code, details }).toEqual({ code: 'SECURITY_ERROR', details: { action: 'read' } });
    }
  });

  test('is noticed when a file becomes a link after the index was made', async () => {
    const outside = await makeDirectory({ 'good.json': documentOf('good', 'Foreign') });
    const directory = await makeDirectory({ 'good.json': documentOf('good') });
    const storage = new FileWorkflowStorage({ directory, writable: true });
    await storage.listSummaries();
    await rm(join(directory, 'good.json'));
    await symlink(join(outside, 'good.json'), join(directory, 'good.json'));
    expect((await refusal(storage.getById('good'))).code).toBe('SECURITY_ERROR');
    expect(await idsOf(storage)).toEqual([]);
    expect(await toldBy(storage)).toEqual(['SECURITY_ERROR good.json']);
  });

  test('is not a sibling whose name begins alike', async () => {
    const parent = await makeDirectory({
      'flows/a.json': documentOf('inside'),
      'flows-secret/b.json': documentOf('b'),
    });
    const directory = join(parent, 'flows');
    await symlink(join(parent, 'flows-secret', 'b.json'), join(directory, 'b.json'));
    expect((await refusal(new FileWorkflowStorage({ directory }).getById('b'))).code).toBe('SECURITY_ERROR');
  });

  test('is not a link within the directory, nor a directory that is a link itself', async () => {
    const directory = await makeDirectory({ 'below/real.json': documentOf('real') });
    await symlink(join(directory, 'below', 'real.json'), join(directory, 'link.json'));
    const link = join(await makeDirectory(), 'link');
    await symlink(directory, link);
    expect(await idsOf(new FileWorkflowStorage({ directory: link }))).toEqual(['real']);
  });

  test('ends with links that go round', async () => {
    const directory = await makeDirectory({ 'below/a.json': documentOf('deep') });
    await symlink(directory, join(directory, 'below', 'up'));
    await symlink('loop.json', join(directory, 'loop.json'));
    await symlink('nowhere.json', join(directory, 'dangling.json'));
    await symlink('below', join(directory, 'folder.json'));
    const storage = new FileWorkflowStorage({ directory, recursive: true });
    expect(await idsOf(storage)).toEqual(['deep']);
    expect(await storage.diagnostics()).toEqual([
      { code: 'UNREADABLE', source: 'dangling.json', message: 'The file cannot be read: ENOENT.' },
      { code: 'NOT_A_FILE', source: 'folder.json', message: 'It is not a regular file.' },
      { code: 'UNREADABLE', source: 'loop.json', message: 'The file cannot be read: ELOOP.' },
    ]);
  });

  test('is a named pipe, which would be waited for without end', async () => {
    const directory = await makeDirectory({ 'good.json': documentOf('good') });
    execFileSync('mkfifo', [join(directory, 'pipe.json')]);
    const storage = new FileWorkflowStorage({ directory });
    expect(await idsOf(storage)).toEqual(['good']);
    expect(await toldBy(storage)).toEqual(['NOT_A_FILE pipe.json']);
  });

  test('includes a device that a link leads to', async () => {
    const directory = await makeDirectory();
    await symlink('/dev/zero', join(directory, 'zero.json'));
    expect((await refusal(new FileWorkflowStorage({ directory }).getById('zero'))).code).toBe(
      'SECURITY_ERROR',
    );
  });
});
