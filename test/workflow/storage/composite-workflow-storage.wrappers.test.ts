import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import { WorkflowError } from '../../../src/workflow/domain/errors/workflow-error.ts';
import { CompositeWorkflowStorage } from '../../../src/workflow/storage/composite-workflow-storage.ts';
import { createWorkflowStorage } from '../../../src/workflow/storage/create-workflow-storage.ts';
import { FileWorkflowStorage } from '../../../src/workflow/storage/files/file-workflow-storage.ts';
import { InMemoryWorkflowStorage } from '../../../src/workflow/storage/in-memory-workflow-storage.ts';
import { SchemaValidatingWorkflowStorage } from '../../../src/workflow/storage/schema-validating-workflow-storage.ts';
import { documentOf, invalidDocumentOf } from './documents.ts';
import { refusal } from '../../support/workflow-refusal.ts';
import { makeDirectory, put } from './files/workflow-directory.ts';

function failing(error: Error): WorkflowStorage {
  const fail = (): Promise<never> => Promise.reject(error);
  return { loadAll: fail, getById: fail, listSummaries: fail, diagnostics: fail };
}

function insecure(): WorkflowStorage {
  return failing(new WorkflowError('SECURITY_ERROR', { where: 'here', message: 'No.' }));
}

describe('several storages as one', () => {
  test('take the workflow of the later one', async () => {
    const storage = new CompositeWorkflowStorage([
      new InMemoryWorkflowStorage([documentOf('same', 'Early'), documentOf('early')]),
      new InMemoryWorkflowStorage([documentOf('same', 'Late')]),
    ]);
    expect((await storage.getById('same'))?.name).toBe('Late');
    expect((await storage.listSummaries()).map(({ name }) => name)).toEqual(['Workflow early', 'Late']);
    expect((await storage.loadAll()).map(({ name }) => name)).toEqual(['Workflow early', 'Late']);
  });

  test('go on without one that fails, and report it', async () => {
    const storage = new CompositeWorkflowStorage([
      new InMemoryWorkflowStorage([documentOf('one')]),
      new FileWorkflowStorage({ directory: join(await makeDirectory(), 'missing') }),
      failing(new Error('secret words')),
    ]);
    expect(await storage.getById('one')).toEqual(documentOf('one'));
    expect((await storage.loadAll()).length).toBe(1);
    const diagnostics = await storage.diagnostics();
    expect(diagnostics.map(({ code, source }) => `${code} ${source}`)).toEqual([
      'STORAGE_ERROR storage 2',
      'STORAGE_ERROR storage 3',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('secret');
  });

  test('skip one that fails by id, in whatever way, and report it until it works again', async () => {
    let isDown = true;
    const later = new InMemoryWorkflowStorage([documentOf('same', 'Late')]);
    const unsteady: WorkflowStorage = {
      loadAll: () => later.loadAll(),
      listSummaries: () => later.listSummaries(),
      getById(id) {
        if (isDown) throw new TypeError('secret words');
        return later.getById(id);
      },
    };
    const storage = new CompositeWorkflowStorage([
      new InMemoryWorkflowStorage([documentOf('same', 'Early')]),
      unsteady,
    ]);
    expect(await storage.diagnostics()).toEqual([]);
    expect((await storage.getById('same'))?.name).toBe('Early');
    expect(await storage.getById('missing')).toBeNull();
    const told = await storage.diagnostics();
    expect(told.map(({ code, source }) => `${code} ${source}`)).toEqual(['STORAGE_ERROR storage 2']);
    expect(JSON.stringify(told)).not.toContain('secret');
    isDown = false;
    expect((await storage.getById('same'))?.name).toBe('Late');
    expect(await storage.diagnostics()).toEqual([]);
  });

  test('let nothing escape that is thrown on the spot', async () => {
    const fail = (): never => {
      throw new TypeError('secret words');
    };
    const broken = { loadAll: fail, getById: fail, listSummaries: fail, diagnostics: fail };
    const storage = new CompositeWorkflowStorage([new InMemoryWorkflowStorage([documentOf('one')]), broken]);
    expect(await storage.loadAll()).toEqual([documentOf('one')]);
    expect((await storage.listSummaries()).length).toBe(1);
    expect((await storage.diagnostics()).map(({ code }) => code)).toEqual(['STORAGE_ERROR']);
    expect((await refusal(storage.save!(documentOf('two')))).code).toBe('STORAGE_ERROR');
  });

  test('take no earlier version of what is invalid in a later one', async () => {
    const directory = await makeDirectory({ 'a.json': documentOf('same', 'Late') });
    const storage = new CompositeWorkflowStorage([
      new InMemoryWorkflowStorage([documentOf('same', 'Early')]),
      new FileWorkflowStorage({ directory, cacheTtl: 0 }),
    ]);
    expect((await storage.getById('same'))?.name).toBe('Late');
    await put(directory, 'a.json', '{"id":');
    expect((await refusal(storage.getById('same'))).code).toBe('INVALID_WORKFLOW');
  });

  test('pass a breach of security on', async () => {
    const storage = new CompositeWorkflowStorage([new InMemoryWorkflowStorage(), insecure()]);
    for (const reading of [storage.loadAll(), storage.listSummaries(), storage.getById('a')]) {
      expect((await refusal(reading)).code).toBe('SECURITY_ERROR');
    }
  });

  test('save to the last that can, unless a later one hides it', async () => {
    const writable = new InMemoryWorkflowStorage();
    const directory = await makeDirectory({ 'fixed.json': documentOf('fixed') });
    const storage = new CompositeWorkflowStorage([writable, new FileWorkflowStorage({ directory })]);
    await storage.save?.(documentOf('one'));
    expect(await writable.getById('one')).toEqual(documentOf('one'));
    expect((await refusal(storage.save!(documentOf('fixed')))).details).toEqual({
      operation: 'save',
      cause: 'EROFS',
    });
  });
});

describe('a storage that lets only valid workflows through', () => {
  test('leaves the others out, and refuses them by id', async () => {
    const inner = new InMemoryWorkflowStorage([documentOf('good'), invalidDocumentOf('empty')]);
    const storage = new SchemaValidatingWorkflowStorage(inner);
    expect((await storage.diagnostics()).map(({ code, id }) => `${code} ${String(id)}`)).toEqual([
      'INVALID_WORKFLOW empty',
    ]);
    expect((await storage.loadAll()).map(({ id }) => id)).toEqual(['good']);
    expect((await storage.listSummaries()).map(({ id }) => id)).toEqual(['good']);
    const { code, details } = await refusal(storage.getById('empty'));
    expect(code).toBe('INVALID_WORKFLOW');
    expect(details.workflowId).toBe('empty');
  });

  test('saves only what is valid', async () => {
    const inner = new InMemoryWorkflowStorage();
    const storage = new SchemaValidatingWorkflowStorage(inner);
    expect((await refusal(storage.save!(invalidDocumentOf('empty')))).code).toBe('INVALID_WORKFLOW');
    expect(await inner.loadAll()).toEqual([]);
  });
});

describe('the default stack', () => {
  test('takes directories, workflows and storages, the later first', async () => {
    const [lower, upper] = await Promise.all([
      makeDirectory({ 'a.json': documentOf('first', 'Lower'), 'b.json': documentOf('second', 'Lower') }),
      makeDirectory({ 'deep/a.json': documentOf('first', 'Upper') }),
    ]);
    const storage = createWorkflowStorage({
      sources: [
        lower,
        { directory: upper, recursive: true },
        [documentOf('third', 'List')],
        new InMemoryWorkflowStorage([documentOf('third', 'Storage')]),
      ],
    });
    expect((await storage.listSummaries()).map(({ name }) => name)).toEqual(['Upper', 'Lower', 'Storage']);
    expect(storage.save === undefined).toBe(false);
  });

  test('says by id what a list leaves out, from the snapshot', async () => {
    const outside = await makeDirectory({ 'hidden.json': documentOf('hidden') });
    const directory = await makeDirectory({ 'empty.json': invalidDocumentOf('empty'), 'bad.json': '{' });
    await symlink(join(outside, 'hidden.json'), join(directory, 'hidden.json'));
    const storage = createWorkflowStorage({ sources: [directory] });
    expect(await storage.listSummaries()).toEqual([]);
    const { code, details } = await refusal(storage.getById('empty'));
    expect({ code, workflowId: details.workflowId }).toEqual({
      code: 'INVALID_WORKFLOW',
      workflowId: 'empty',
    });
    expect(details.details).toMatchObject([{ code: 'TOO_FEW_ITEMS', path: '/steps' }]);
    expect((await refusal(storage.getById('hidden'))).code).toBe('SECURITY_ERROR');
    expect(await storage.getById('bad')).toBeNull();
    expect((await storage.diagnostics()).map(({ code: told }) => told).sort()).toEqual([
      'INVALID_JSON',
      'INVALID_WORKFLOW',
      'SECURITY_ERROR',
    ]);
    expect(storage.stats()).toEqual({ hits: 3, misses: 1 });
  });
});
