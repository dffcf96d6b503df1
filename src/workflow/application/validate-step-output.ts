import { findStep, type WorkflowStep } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { ValidationCriteria, ValidationResult } from '../domain/validation/output-validator.ts';
import { findWorkflow } from './find-workflow.ts';
import { checkRequest } from './requests/check-request.ts';
import { validateShape } from './requests/request-shapes.ts';
import type { WorkflowPorts } from './workflow-ports.ts';
import type { ValidateStepRequest } from './workflow-results.ts';

/**
 * What workflow_validate gives: how the output of a step is judged, with the context.
 * @throws WorkflowError `INVALID_PARAMS`, `WORKFLOW_NOT_FOUND`, `INVALID_WORKFLOW`, `STEP_NOT_FOUND`
 */
export async function validateStepOutput(
  ports: WorkflowPorts,
  request: ValidateStepRequest,
): Promise<ValidationResult> {
  checkRequest(request, validateShape);
  const { workflowId, stepId, output, context = {} } = request;
  const { definition } = await findWorkflow(ports, workflowId);
  const step = findStep(definition, stepId);
  if (step === undefined) throw stepNotFound(workflowId, stepId);
  return ports.validator.validate(output, criteriaOf(step), context);
}

function criteriaOf(step: WorkflowStep): ValidationCriteria | undefined {
  return step.type === 'loop' ? undefined : step.validationCriteria;
}

function stepNotFound(workflowId: string, stepId: string): WorkflowError {
  return new WorkflowError('STEP_NOT_FOUND', {
    where: `step "${stepId}"`,
    message: `The workflow "${workflowId}" has no step "${stepId}".`,
    details: { stepId, workflowId },
  });
}
