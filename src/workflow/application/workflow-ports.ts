import type { WorkflowDefinition, WorkflowDocument } from '../domain/document/workflow-document.ts';
import type { OutputValidator } from '../domain/validation/output-validator.ts';
import type { WorkflowStorage } from './ports/workflow-storage.ts';

/** What the use cases of the classic tools work with. */
export interface WorkflowPorts {
  readonly storage: WorkflowStorage;
  readonly validator: OutputValidator;
  /** Checks a document; `loadWorkflow` unless given. */
  readonly load?: (document: WorkflowDocument) => WorkflowDefinition;
}
