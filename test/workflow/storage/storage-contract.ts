import { describe, expect, test } from '@jest/globals';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../../../src/workflow/domain/document/workflow-document.ts';
import { deepDocumentOf, documentOf } from './documents.ts';
import { refusal } from '../../support/workflow-refusal.ts';

export interface StorageContractOptions {
  /** A storage that holds these workflows, all of them valid. */
  readonly make: (workflows: readonly WorkflowDocument[]) => Promise<WorkflowStorage>;
  readonly canSave: boolean;
}

/** What every storage, and every storage around another one, has to do. */
export function storageContract(name: string, { make, canSave }: StorageContractOptions): void {
  const three = [documentOf('second'), documentOf('a-third'), documentOf('first')];

  describe(`${name} keeps the contract of storages`, () => {
    test('gives every workflow with all its members', async () => {
      const storage = await make(three);
      expect(await storage.loadAll()).toEqual([
        documentOf('a-third'),
        documentOf('first'),
        documentOf('second'),
      ]);
      expect(await storage.getById('second')).toEqual(documentOf('second'));
    });

    test('lists summaries by id, with the default category', async () => {
      const summaries = await (await make(three)).listSummaries();
      expect(summaries.map(({ id }) => id)).toEqual(['a-third', 'first', 'second']);
      expect(summaries[1]).toEqual({
        id: 'first',
        name: 'Workflow first',
        description: 'Something to do',
        category: 'default',
        version: '1.0.0',
      });
    });

    test('is empty without workflows', async () => {
      const storage = await make([]);
      expect(await storage.loadAll()).toEqual([]);
      expect(await storage.listSummaries()).toEqual([]);
    });

    test('gives null for an unknown id', async () => {
      const storage = await make(three);
      for (const id of ['missing', '__proto__', 'constructor', 'FIRST']) {
        expect(await storage.getById(id)).toBeNull();
      }
    });

    test('refuses what cannot be an id', async () => {
      const storage = await make(three);
      for (const id of ['', '../first', 'a/b', 'first.json', 'x'.repeat(65), 'é']) {
        expect((await refusal(storage.getById(id))).code).toBe('INVALID_WORKFLOW');
      }
      expect((await refusal(storage.getById('first\0'))).code).toBe('SECURITY_ERROR');
    });

    test('gives copies that can be changed without changing what it holds', async () => {
      const storage = await make(three);
      for (const read of [async () => (await storage.loadAll())[1], () => storage.getById('first')]) {
        const copy = (await read()) as unknown as { name: string; steps: { title: string }[] };
        copy.name = 'Changed';
        copy.steps.pop();
        expect(await storage.getById('first')).toEqual(documentOf('first'));
      }
      expect(await storage.loadAll()).toContainEqual(documentOf('first'));
    });

    test('gives the same to readers at the same time', async () => {
      const storage = await make(three);
      const [all, one, summaries] = await Promise.all([
        storage.loadAll(),
        storage.getById('first'),
        storage.listSummaries(),
      ]);
      expect(all.map(({ id }) => id)).toEqual(summaries.map(({ id }) => id));
      expect(one).toEqual(all[1]);
    });

    test('reports nothing where nothing was left out', async () => {
      const storage = await make(three);
      expect((await storage.diagnostics?.()) ?? []).toEqual([]);
    });

    test(canSave ? 'saves new workflows and replaces old ones' : 'cannot save', async () => {
      const storage = await make(three);
      await storage.loadAll();
      expect(storage.save === undefined).toBe(!canSave);
      const changed = { ...documentOf('first'), name: 'Changed' };
      await storage.save?.(changed);
      await storage.save?.(documentOf('new-one'));
      if (canSave) changed.name = 'Changed by the caller afterwards';
      expect((await storage.getById('first'))?.name).toBe(canSave ? 'Changed' : 'Workflow first');
      expect((await storage.loadAll()).length).toBe(canSave ? 4 : 3);
      expect((await storage.listSummaries()).some(({ id }) => id === 'new-one')).toBe(canSave);
    });

    if (canSave) {
      test('refuses to save what nests too deep to be copied, and keeps what it has', async () => {
        const storage = await make(three);
        expect((await refusal(storage.save!(deepDocumentOf('first')))).code).toBe('INVALID_WORKFLOW');
        expect(await storage.getById('first')).toEqual(documentOf('first'));
        expect((await storage.loadAll()).length).toBe(3);
      });
    }
  });
}
