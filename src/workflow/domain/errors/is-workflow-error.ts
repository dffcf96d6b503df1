import { WorkflowError } from './workflow-error.ts';

/** As `instanceof` does, but without forgetting which codes there are. */
export function isWorkflowError(error: unknown): error is WorkflowError {
  return error instanceof WorkflowError;
}
