import type {
  WorkflowDocument,
  WorkflowSummary,
  WorkflowDefinition,
} from '../../domain/document/workflow-document.ts';

/** Something that a storage skipped, and why. */
export interface StorageDiagnostic {
  /** The code of the corresponding error. */
  readonly code: string;
  /** The file, or the id. */
  readonly source: string;
  /** The id of the workflow, if known. */
  readonly id?: string;
  /** Why it was skipped, in a sentence. */
  readonly message: string;
  /** The `details` of the corresponding error. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Stores workflows. It returns deep copies, which are not necessarily valid. */
export interface WorkflowStorage {
  /** All workflows, sorted by id. */
  loadAll(): Promise<readonly WorkflowDocument[]>;
  /** The workflow with this id; null if there is none. */
  getById(id: string): Promise<WorkflowDocument | null>;
  /** Sorted by id, by code units. */
  listSummaries(): Promise<readonly WorkflowSummary[]>;
  /** Absent if the storage is read-only. */
  save?(workflow: WorkflowDocument): Promise<void>;
  /** What the last listing skipped; lists first if there was no listing yet. */
  diagnostics?(): Promise<readonly StorageDiagnostic[]>;
}

/** Supplies the definitions of new runs; a started run keeps its pinned definition. */
export interface WorkflowDefinitions {
  /** @throws WorkflowError `WORKFLOW_NOT_FOUND`, or `INVALID_WORKFLOW` for an invalid document. */
  getDefinition(id: string): Promise<WorkflowDefinition>;
}
