import type { WorkflowDocument } from '../../../src/workflow/domain/document/workflow-document.ts';
import { CachingWorkflowStorage } from '../../../src/workflow/storage/caching-workflow-storage.ts';
import { CompositeWorkflowStorage } from '../../../src/workflow/storage/composite-workflow-storage.ts';
import { createWorkflowStorage } from '../../../src/workflow/storage/create-workflow-storage.ts';
import { FileWorkflowStorage } from '../../../src/workflow/storage/files/file-workflow-storage.ts';
import { InMemoryWorkflowStorage } from '../../../src/workflow/storage/in-memory-workflow-storage.ts';
import { SchemaValidatingWorkflowStorage } from '../../../src/workflow/storage/schema-validating-workflow-storage.ts';
import { storageContract } from './storage-contract.ts';
import { makeDirectory } from './files/workflow-directory.ts';

async function directoryOf(workflows: readonly WorkflowDocument[]): Promise<string> {
  return makeDirectory(Object.fromEntries(workflows.map((workflow) => [`${workflow.id}.json`, workflow])));
}

async function makeFiles(
  workflows: readonly WorkflowDocument[],
  writable = true,
): Promise<FileWorkflowStorage> {
  return new FileWorkflowStorage({ directory: await directoryOf(workflows), writable });
}

storageContract('InMemoryWorkflowStorage', {
  make: async (workflows) => new InMemoryWorkflowStorage(workflows),
  canSave: true,
});

storageContract('FileWorkflowStorage', { make: makeFiles, canSave: true });

storageContract('FileWorkflowStorage that is not writable', {
  make: (workflows) => makeFiles(workflows, false),
  canSave: false,
});

storageContract('FileWorkflowStorage that keeps nothing', {
  make: async (workflows) =>
    new FileWorkflowStorage({
      directory: await directoryOf(workflows),
      indexTtl: 0,
      cacheTtl: 0,
      writable: true,
    }),
  canSave: true,
});

storageContract('CompositeWorkflowStorage', {
  make: async (workflows) =>
    new CompositeWorkflowStorage([
      await makeFiles(workflows.slice(0, 1), false),
      new InMemoryWorkflowStorage(workflows.slice(1)),
    ]),
  canSave: true,
});

storageContract('SchemaValidatingWorkflowStorage', {
  make: async (workflows) => new SchemaValidatingWorkflowStorage(await makeFiles(workflows)),
  canSave: true,
});

storageContract('CachingWorkflowStorage', {
  make: async (workflows) => new CachingWorkflowStorage(new InMemoryWorkflowStorage(workflows)),
  canSave: true,
});

storageContract('The default stack', {
  make: async (workflows) =>
    createWorkflowStorage({ sources: [{ directory: await directoryOf(workflows), writable: true }] }),
  canSave: true,
});
