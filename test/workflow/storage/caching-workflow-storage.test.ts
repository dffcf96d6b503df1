import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../../../src/workflow/domain/document/workflow-document.ts';
import { CachingWorkflowStorage } from '../../../src/workflow/storage/caching-workflow-storage.ts';
import type { WorkflowCache, WorkflowSnapshot } from '../../../src/workflow/storage/workflow-cache.ts';
import { createWorkflowStorage } from '../../../src/workflow/storage/create-workflow-storage.ts';
import { InMemoryWorkflowStorage } from '../../../src/workflow/storage/in-memory-workflow-storage.ts';
import { eventually } from '../../support/eventually.ts';
import { deepDocumentOf, documentOf } from './documents.ts';
import { refusal } from '../../support/workflow-refusal.ts';
import { makeDirectory, put } from './files/workflow-directory.ts';

/** A storage whose loads end when the test says so. */
class SlowStorage extends InMemoryWorkflowStorage {
  loads = 0;
  readonly #waiting: (() => void)[] = [];

  override async loadAll(): Promise<readonly WorkflowDocument[]> {
    this.loads += 1;
    const workflows = await super.loadAll();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return workflows;
  }

  release(): void {
    this.#waiting.shift()?.();
  }

  async isLoading(): Promise<void> {
    await eventually(() => this.#waiting.length > 0);
  }
}

/** A cache as another process would keep it: as text. */
class TextCache implements WorkflowCache {
  readonly texts = new Map<string, { readonly text: string; readonly ttl: number }>();

  async get(key: string): Promise<WorkflowSnapshot | undefined> {
    const kept = this.texts.get(key);
    return kept === undefined ? undefined : (JSON.parse(kept.text) as WorkflowSnapshot);
  }

  async set(key: string, snapshot: WorkflowSnapshot, ttl: number): Promise<void> {
    this.texts.set(key, { text: JSON.stringify(snapshot), ttl });
  }

  async delete(key: string): Promise<void> {
    this.texts.delete(key);
  }
}

describe('a storage with a cache', () => {
  test('serves the second read from the snapshot, and counts each read once', async () => {
    const cached = new CachingWorkflowStorage(new InMemoryWorkflowStorage([documentOf('one')]));
    await cached.listSummaries();
    expect(cached.stats()).toEqual({ hits: 0, misses: 1 });
    await cached.getById('one');
    await cached.getById('missing');
    await cached.loadAll();
    await cached.diagnostics();
    expect(cached.stats()).toEqual({ hits: 3, misses: 1 });
  });

  test('is fresh while its age is less than the time to live', async () => {
    let now = 1000;
    const inner = new InMemoryWorkflowStorage([documentOf('one')]);
    const cached = new CachingWorkflowStorage(inner, { ttl: 100, clock: () => now });
    await cached.loadAll();
    inner.replaceAll([documentOf('two')]);
    now = 1099;
    expect(await cached.getById('two')).toBeNull();
    now = 1100;
    expect(await cached.getById('two')).toEqual(documentOf('two'));
    now = 500;
    await cached.loadAll();
    expect(cached.stats()).toEqual({ hits: 1, misses: 3 });
  });

  test('keeps nothing with a time to live of 0', async () => {
    const cached = new CachingWorkflowStorage(new InMemoryWorkflowStorage(), { ttl: 0 });
    await cached.loadAll();
    await cached.loadAll();
    expect(cached.stats()).toEqual({ hits: 0, misses: 2 });
  });

  test('loads once for all who miss at the same time', async () => {
    const inner = new SlowStorage([documentOf('one')]);
    const cached = new CachingWorkflowStorage(inner);
    const reads = [cached.loadAll(), cached.getById('one'), cached.listSummaries()];
    await inner.isLoading();
    inner.release();
    await Promise.all(reads);
    expect(inner.loads).toBe(1);
    expect(cached.stats()).toEqual({ hits: 0, misses: 3 });
  });

  test('does not keep a load that failed', async () => {
    let isDown = true;
    const inner = new InMemoryWorkflowStorage([documentOf('one')]);
    const failing: WorkflowStorage = {
      loadAll: () => (isDown ? Promise.reject(new Error('down')) : inner.loadAll()),
      getById: (id) => inner.getById(id),
      listSummaries: () => inner.listSummaries(),
    };
    const cached = new CachingWorkflowStorage(failing);
    await expect(Promise.all([cached.loadAll(), cached.loadAll()])).rejects.toThrow('down');
    isDown = false;
    expect(await cached.getById('one')).toEqual(documentOf('one'));
    expect(cached.stats()).toEqual({ hits: 0, misses: 3 });
  });

  test('does not keep a load that a source is missing from', async () => {
    const directory = join(await makeDirectory(), 'mounted');
    const sources = [directory, [documentOf('kept')]];
    const cached = createWorkflowStorage({ sources });
    expect((await cached.loadAll()).map(({ id }) => id)).toEqual(['kept']);
    expect((await cached.diagnostics()).map(({ code }) => code)).toEqual(['STORAGE_ERROR']);
    await put(directory, 'late.json', documentOf('late'));
    expect(await cached.getById('late')).toEqual(documentOf('late'));
    expect(await cached.diagnostics()).toEqual([]);
    await cached.loadAll();
    expect(cached.stats()).toEqual({ hits: 1, misses: 2 });
  });

  test('leaves out what cannot be copied for every reader', async () => {
    const inner = new InMemoryWorkflowStorage([documentOf('good')]);
    const careless: WorkflowStorage = {
      loadAll: async () => [deepDocumentOf('deep'), ...(await inner.loadAll())],
      getById: (id) => inner.getById(id),
      listSummaries: () => inner.listSummaries(),
    };
    const cached = new CachingWorkflowStorage(careless);
    expect(await cached.loadAll()).toEqual([documentOf('good')]);
    expect((await refusal(cached.getById('deep'))).code).toBe('INVALID_WORKFLOW');
  });

  test.each([Number.NaN, -1, 1.5])('refuses a time to live of %p', (ttl) => {
    expect(() => new CachingWorkflowStorage(new InMemoryWorkflowStorage(), { ttl })).toThrow(
      expect.objectContaining({ code: 'TW_WORKFLOW_OPTION' }),
    );
  });

  test('does not keep a load that was overtaken by an invalidation', async () => {
    const inner = new SlowStorage([documentOf('old-one')]);
    const cached = new CachingWorkflowStorage(inner);
    const early = cached.loadAll();
    await inner.isLoading();
    inner.replaceAll([documentOf('new-one')]);
    await cached.invalidate();
    const late = cached.loadAll();
    await eventually(() => inner.loads === 2);
    inner.release();
    expect((await early).map(({ id }) => id)).toEqual(['old-one']);
    inner.release();
    expect((await late).map(({ id }) => id)).toEqual(['new-one']);
    expect((await cached.loadAll()).map(({ id }) => id)).toEqual(['new-one']);
    expect(inner.loads).toBe(2);
  });

  test('does not keep a load that was overtaken by a save', async () => {
    const inner = new SlowStorage([documentOf('one', 'Old')]);
    const cached = new CachingWorkflowStorage(inner);
    const early = cached.getById('one');
    await inner.isLoading();
    await cached.save?.(documentOf('one', 'New'));
    inner.release();
    expect((await early)?.name).toBe('Old');
    const late = cached.getById('one');
    await inner.isLoading();
    inner.release();
    expect((await late)?.name).toBe('New');
  });

  test('works with a cache outside of the process, under a key of its own', async () => {
    const cache = new TextCache();
    const inner = new InMemoryWorkflowStorage([documentOf('one')]);
    const options = { cache, key: 'mine', ttl: 70 };
    await new CachingWorkflowStorage(inner, options).loadAll();
    expect(cache.texts.get('mine')?.ttl).toBe(70);
    const other = new CachingWorkflowStorage(new InMemoryWorkflowStorage(), options);
    expect(await other.getById('one')).toEqual(documentOf('one'));
    expect(other.stats()).toEqual({ hits: 1, misses: 0 });
    await other.invalidate();
    expect(await other.loadAll()).toEqual([]);
  });

  test('reads past a cache that fails, and says so only where the snapshot cannot be dropped', async () => {
    const fail = (): Promise<never> => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }));
    const cache: WorkflowCache = { get: fail, set: fail, delete: fail };
    const cached = new CachingWorkflowStorage(new InMemoryWorkflowStorage([documentOf('one')]), { cache });
    expect(await cached.getById('one')).toEqual(documentOf('one'));
    expect((await refusal(cached.invalidate())).details).toEqual({
      operation: 'invalidate',
      cause: 'ECONNREFUSED',
    });
  });
});
