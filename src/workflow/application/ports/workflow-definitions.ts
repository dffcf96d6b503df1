import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';

/** Where new runs get their workflow from; those that run have theirs pinned. */
export interface WorkflowDefinitions {
  /** @throws WorkflowError `WORKFLOW_NOT_FOUND`, or `INVALID_WORKFLOW` for one that was not written as it should be. */
  getDefinition(id: string): Promise<WorkflowDefinition>;
}
