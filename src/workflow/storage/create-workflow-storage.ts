import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { CachingWorkflowStorage, type CachingOptions } from './caching/caching-workflow-storage.ts';
import { CompositeWorkflowStorage } from './composite-workflow-storage.ts';
import type { FileWorkflowStorageOptions } from './files/file-storage-options.ts';
import { FileWorkflowStorage } from './files/file-workflow-storage.ts';
import { InMemoryWorkflowStorage } from './in-memory-workflow-storage.ts';
import { SchemaValidatingWorkflowStorage } from './schema-validating-workflow-storage.ts';

/** A directory, by its path alone or with options; workflows themselves; or any storage. */
export type WorkflowSource =
  string | FileWorkflowStorageOptions | readonly WorkflowDocument[] | WorkflowStorage;

export interface WorkflowStorageOptions extends CachingOptions {
  /** Of workflows with the same id, the one of the later source counts. */
  readonly sources: readonly WorkflowSource[];
}

/**
 * The storage for most servers: all sources together, only valid workflows, from a snapshot.
 *
 * @example
 * const storage = createWorkflowStorage({ sources: ['./workflows', { directory: './own', writable: true }] });
 */
export function createWorkflowStorage({
  sources,
  ...caching
}: WorkflowStorageOptions): CachingWorkflowStorage {
  const together = new CompositeWorkflowStorage(sources.map(storageOf));
  return new CachingWorkflowStorage(new SchemaValidatingWorkflowStorage(together), caching);
}

function storageOf(source: WorkflowSource): WorkflowStorage {
  if (typeof source === 'string') return new FileWorkflowStorage({ directory: source });
  if (isList(source)) return new InMemoryWorkflowStorage(source);
  return 'directory' in source ? new FileWorkflowStorage(source) : source;
}

function isList(source: WorkflowSource): source is readonly WorkflowDocument[] {
  return Array.isArray(source);
}
