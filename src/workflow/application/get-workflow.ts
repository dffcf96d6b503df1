import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { findWorkflow } from './find-workflow.ts';
import { checkRequest } from './requests/check-request.ts';
import { getShape } from './requests/request-shapes.ts';
import type { WorkflowPorts } from './workflow-ports.ts';
import type { GetWorkflowRequest } from './workflow-results.ts';

/**
 * What workflow_get gives: the whole workflow, as it is written.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
 */
export async function getWorkflow(
  ports: WorkflowPorts,
  request: GetWorkflowRequest,
): Promise<WorkflowDocument> {
  checkRequest(request, getShape);
  return (await findWorkflow(ports, request.workflowId)).document;
}
