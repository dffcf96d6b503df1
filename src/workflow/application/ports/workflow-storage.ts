import type {
  WorkflowDocument,
  WorkflowSummary,
  WorkflowDefinition,
} from '../../domain/document/workflow-document.ts';

/** Something that a storage left out, and why. */
export interface StorageDiagnostic {
  readonly code: string;
  /** The file, or the id. */
  readonly source: string;
  /** What it would be asked for by, where that is known. */
  readonly id?: string;
  readonly message: string;
  /** What an error about it has as details. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Where workflows are kept. What it gives are deep copies, and they need not be valid. */
export interface WorkflowStorage {
  loadAll(): Promise<readonly WorkflowDocument[]>;
  getById(id: string): Promise<WorkflowDocument | null>;
  /** Sorted by id, in code units. */
  listSummaries(): Promise<readonly WorkflowSummary[]>;
  /** Absent where nothing can be saved. */
  save?(workflow: WorkflowDocument): Promise<void>;
  /** What was left out of the last listing; reads it, if there was none yet. */
  diagnostics?(): Promise<readonly StorageDiagnostic[]>;
}

/** Where new runs get their workflow from; those that run have theirs pinned. */
export interface WorkflowDefinitions {
  /** @throws WorkflowError `WORKFLOW_NOT_FOUND`, or `INVALID_WORKFLOW` for one that was not written as it should be. */
  getDefinition(id: string): Promise<WorkflowDefinition>;
}
