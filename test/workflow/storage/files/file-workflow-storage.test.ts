import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FileWorkflowStorage } from '../../../../src/workflow/storage/files/file-workflow-storage.ts';
import { documentOf, invalidDocumentOf } from '../documents.ts';
import { refusal } from '../../../support/workflow-refusal.ts';
import { idsOf, toldBy } from '../told-by.ts';
import { makeDirectory, put } from './workflow-directory.ts';

describe('a directory of workflows', () => {
  test('leaves out what is not a workflow, and says why', async () => {
    const directory = await makeDirectory({
      'good.json': documentOf('good'),
      'bad.json': '{',
      'list.json': [],
      'no-id.json': { name: 'Nameless' },
      'number-id.json': { id: 7 },
      'odd-id.json': { id: 'a b' },
      'latin.json': Buffer.from('{"id":"caf\xe9"}', 'latin1'),
      'large.json': { ...documentOf('large'), description: 'x'.repeat(2000) },
      'notes.txt': 'text',
      'below/deep.json': documentOf('deep'),
    });
    await mkdir(join(directory, 'folder.json'));
    const storage = new FileWorkflowStorage({ directory, maxFileBytes: 1000 });
    expect(await idsOf(storage)).toEqual(['good']);
    expect(await toldBy(storage)).toEqual([
      'INVALID_JSON bad.json',
      'TOO_LARGE large.json',
      'INVALID_JSON latin.json',
      'MISSING_ID list.json',
      'MISSING_ID no-id.json',
      'MISSING_ID number-id.json',
      'INVALID_ID odd-id.json',
    ]);
    expect(await storage.getById('large')).toBeNull();
  });

  test('leaves out a file that nests too deep, and nothing else', async () => {
    const deep = JSON.stringify({ ...documentOf('deep'), x: 'DEEP' });
    const directory = await makeDirectory({
      'deep.json': deep.replace('"DEEP"', '['.repeat(5000) + ']'.repeat(5000)),
      'good.json': documentOf('good'),
      'nested.json': deep.replace('deep', 'nested').replace('"DEEP"', '['.repeat(999) + ']'.repeat(999)),
    });
    for (const ttls of [{ indexTtl: 0 }, { indexTtl: 30_000 }, { indexTtl: 0, cacheTtl: 0 }]) {
      const storage = new FileWorkflowStorage({ directory, cacheTtl: 0, ...ttls });
      expect(await idsOf(storage)).toEqual(['good', 'nested']);
      expect(await idsOf(storage)).toEqual(['good', 'nested']);
      expect(await toldBy(storage)).toEqual(['TOO_DEEP deep.json']);
      expect(await storage.getById('good')).toEqual(documentOf('good'));
      expect(await storage.getById('deep')).toBeNull();
    }
  });

  test('lists a workflow that no schema allows', async () => {
    const directory = await makeDirectory({ 'empty.json': invalidDocumentOf('empty') });
    const storage = new FileWorkflowStorage({ directory });
    expect((await storage.listSummaries()).map(({ id }) => id)).toEqual(['empty']);
    expect(await storage.diagnostics()).toEqual([]);
  });

  test('reads a file of exactly the allowed size, with a byte order mark', async () => {
    const text = `\uFEFF${JSON.stringify(documentOf('marked'))}`;
    const directory = await makeDirectory({ 'marked.json': text });
    const size = Buffer.byteLength(text);
    expect(await idsOf(new FileWorkflowStorage({ directory, maxFileBytes: size }))).toEqual(['marked']);
    expect(await idsOf(new FileWorkflowStorage({ directory, maxFileBytes: size - 1 }))).toEqual([]);
  });

  test('reads folders within when it is recursive, and takes the later path of equal ids', async () => {
    const directory = await makeDirectory({
      'a-b.json': documentOf('same', 'Hyphen'),
      'a/deep/x.json': documentOf('same', 'Folder'),
      'Z.json': documentOf('same', 'Capital'),
      'a/other.json': documentOf('other'),
    });
    const storage = new FileWorkflowStorage({ directory, recursive: true });
    expect((await storage.getById('same'))?.name).toBe('Folder');
    expect(await idsOf(storage)).toEqual(['other', 'same']);
    expect(await toldBy(storage)).toEqual(['DUPLICATE_ID Z.json', 'DUPLICATE_ID a-b.json']);
  });

  test('keeps ids apart that differ in letter case, and takes __proto__ for an id', async () => {
    const directory = await makeDirectory({
      'one.json': documentOf('Same'),
      'two.json': documentOf('same'),
      'three.json': documentOf('__proto__'),
    });
    const storage = new FileWorkflowStorage({ directory });
    expect(await idsOf(storage)).toEqual(['Same', '__proto__', 'same']);
    expect((await storage.getById('__proto__'))?.name).toBe('Workflow __proto__');
  });

  test('finds an id in another form of the same characters', async () => {
    const directory = await makeDirectory({ 'kelvin.json': documentOf('K') });
    // U+212A, the sign of the unit kelvin
    expect(await new FileWorkflowStorage({ directory }).getById('\u212A')).toEqual(documentOf('K'));
  });

  test('reads the first files by path, and says so', async () => {
    const files = Array.from({ length: 30 }, (_, index) => `w${String(index).padStart(2, '0')}`);
    const directory = await makeDirectory(
      Object.fromEntries(files.map((id) => [`${id}.json`, documentOf(id)])),
    );
    const storage = new FileWorkflowStorage({ directory, maxFiles: 20 });
    expect(await idsOf(storage)).toEqual(files.slice(0, 20));
    expect(await toldBy(storage)).toEqual(['TOO_MANY_FILES w20.json']);
  });

  test.each(['maxFileBytes', 'maxFiles', 'indexTtl', 'cacheTtl', 'cacheSize'])(
    'refuses %s that is not a number to count up to',
    (option) => {
      for (const value of [Number.NaN, -1, 1.5]) {
        expect(() => new FileWorkflowStorage({ directory: '.', [option]: value })).toThrow(
          expect.objectContaining({ code: 'TW_WORKFLOW_OPTION', details: { option } }),
        );
      }
    },
  );

  test('reports a directory that is missing or not a directory, with the code of the system and no path', async () => {
    const directory = await makeDirectory({ 'file.json': documentOf('file') });
    for (const [path, cause] of [
      [join(directory, 'missing'), 'ENOENT'],
      [join(directory, 'file.json'), 'ENOTDIR'],
    ] as const) {
      const storage = new FileWorkflowStorage({ directory: path });
      for (const reading of [storage.loadAll(), storage.listSummaries(), storage.diagnostics()]) {
        const { code, details, message } = await refusal(reading);
        expect({ code, details }).toEqual({ code: 'STORAGE_ERROR', details: { operation: 'list', cause } });
        expect(message).not.toContain(directory);
      }
      expect((await refusal(storage.getById('file'))).details).toEqual({ operation: 'read', cause });
    }
  });
});

describe('files that change', () => {
  test('count after the times that were set', async () => {
    let now = 0;
    const directory = await makeDirectory({ 'a.json': documentOf('a', 'Old') });
    const storage = new FileWorkflowStorage({ directory, clock: () => now });
    expect((await storage.getById('a'))?.name).toBe('Old');
    await put(directory, 'a.json', documentOf('a', 'New'));
    await put(directory, 'b.json', documentOf('b'));
    now = 4999;
    expect((await storage.getById('a'))?.name).toBe('Old');
    now = 5000;
    expect((await storage.getById('a'))?.name).toBe('New');
    expect(await storage.getById('b')).toBeNull();
    now = 29_999;
    expect(await idsOf(storage)).toEqual(['a']);
    now = 30_000;
    expect(await idsOf(storage)).toEqual(['a', 'b']);
  });

  test('are refused when they hold another workflow, or none any more', async () => {
    const directory = await makeDirectory({ 'a.json': documentOf('a'), 'b.json': documentOf('b') });
    const storage = new FileWorkflowStorage({ directory, cacheTtl: 0 });
    await storage.listSummaries();
    await put(directory, 'a.json', documentOf('other'));
    await put(directory, 'b.json', '{"id":');
    for (const id of ['a', 'b']) {
      const { code, details } = await refusal(storage.getById(id));
      expect(code).toBe('INVALID_WORKFLOW');
      expect(details.workflowId).toBe(id);
    }
    expect(await idsOf(storage)).toEqual([]);
    expect(await toldBy(storage)).toEqual(['INVALID_WORKFLOW a.json', 'INVALID_JSON b.json']);
  });

  test('are found under a new name, and are null when they are gone', async () => {
    const directory = await makeDirectory({ 'a.json': documentOf('a'), 'b.json': documentOf('b') });
    const storage = new FileWorkflowStorage({ directory });
    await storage.listSummaries();
    await rename(join(directory, 'a.json'), join(directory, 'z.json'));
    await rm(join(directory, 'b.json'));
    expect(await storage.getById('a')).toEqual(documentOf('a'));
    expect(await storage.getById('b')).toBeNull();
  });
});

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
