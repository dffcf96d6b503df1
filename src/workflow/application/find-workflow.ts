import { loadWorkflow } from '../domain/document/load-workflow.ts';
import type { WorkflowDefinition, WorkflowDocument } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { WorkflowPorts } from './workflow-ports.ts';

export interface FoundWorkflow {
  /** As it is written. */
  readonly document: WorkflowDocument;
  readonly definition: WorkflowDefinition;
}

/** @throws WorkflowError `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, or what the storage tells */
export async function findWorkflow(
  { storage, load = loadWorkflow }: WorkflowPorts,
  workflowId: string,
): Promise<FoundWorkflow> {
  const document = await storage.getById(workflowId);
  if (document === null) {
    throw new WorkflowError('WORKFLOW_NOT_FOUND', {
      where: `workflow "${workflowId}"`,
      message: `There is no workflow "${workflowId}".`,
      details: { workflowId },
    });
  }
  return { document, definition: load(document) };
}
