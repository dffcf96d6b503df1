import {
  listOf,
  objectOf,
  required,
  rule,
  type OptionRule,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { storageRule, refuseWorkflowOptions } from '../application/options.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { CACHING_RULES, CachingWorkflowStorage, type CachingOptions } from './caching-workflow-storage.ts';
import { CompositeWorkflowStorage } from './composite-workflow-storage.ts';
import {
  FILE_RULES,
  type FileWorkflowStorageOptions,
  FileWorkflowStorage,
} from './files/file-workflow-storage.ts';
import { InMemoryWorkflowStorage } from './in-memory-workflow-storage.ts';
import { SchemaValidatingWorkflowStorage } from './schema-validating-workflow-storage.ts';
import { isObject } from '../../shared/json.ts';

/** A directory, by its path alone or with options; workflows themselves; or any storage. */
export type WorkflowSource =
  | string
  | FileWorkflowStorageOptions
  | readonly WorkflowDocument[]
  | WorkflowStorage;

/** Options of `createWorkflowStorage()`. */
export interface WorkflowStorageOptions extends CachingOptions {
  /** Of workflows with the same id, the one of the later source counts. */
  readonly sources: readonly WorkflowSource[];
}

const fileRule = objectOf(FILE_RULES);
const listRule = rule(
  'the path of a directory, { directory }, workflows, or a storage',
  (value) => Array.isArray(value) || (typeof value === 'string' && value !== ''),
);

/** Checks an object without storage methods as options, so that the error names the wrong option. */
const sourceRule: OptionRule = {
  allowed: listRule.allowed,
  faultsOf: (value, path) => {
    if (!isObject(value)) return listRule.faultsOf(value, path);
    return isStorage(value) ? [] : fileRule.faultsOf(value, path);
  },
};

export const sourcesRule = listOf(sourceRule, 'a list of sources');

export const STORAGE_RULES: OptionRules<WorkflowStorageOptions> = {
  sources: required(sourcesRule),
  ...CACHING_RULES,
};

/**
 * The storage for most servers: all sources together, only valid workflows, from a snapshot.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION`
 * @example
 * const storage = createWorkflowStorage({ sources: ['./workflows', { directory: './own', writable: true }] });
 */
export function createWorkflowStorage(options: WorkflowStorageOptions): CachingWorkflowStorage {
  refuseWorkflowOptions('createWorkflowStorage()', options, STORAGE_RULES);
  const { sources, ...caching } = options;
  const together = new CompositeWorkflowStorage(sources.map(storageOf));
  return new CachingWorkflowStorage(new SchemaValidatingWorkflowStorage(together), caching);
}

function storageOf(source: WorkflowSource): WorkflowStorage {
  if (typeof source === 'string') return new FileWorkflowStorage({ directory: source });
  if (isList(source)) return new InMemoryWorkflowStorage(source);
  return isStorage(source) ? source : new FileWorkflowStorage(source);
}

function isStorage(source: object): source is WorkflowStorage {
  return storageRule.faultsOf(source, '').length === 0;
}

function isList(source: WorkflowSource): source is readonly WorkflowDocument[] {
  return Array.isArray(source);
}
