import { nextStep } from '../domain/guidance/next-step.ts';
import { findWorkflow } from './find-workflow.ts';
import { checkRequest } from './requests/check-request.ts';
import { nextShape } from './requests/request-shapes.ts';
import type { WorkflowPorts } from './workflow-ports.ts';
import type { NextStep, NextStepRequest } from './workflow-results.ts';

/**
 * What workflow_next gives: the first step that is not completed and whose condition holds.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`
 */
export async function getNextStep(ports: WorkflowPorts, request: NextStepRequest): Promise<NextStep> {
  checkRequest(request, nextShape);
  const { workflowId, completedSteps, context = {} } = request;
  const { definition } = await findWorkflow(ports, workflowId);
  return nextStep(definition, completedSteps ?? [], context);
}
