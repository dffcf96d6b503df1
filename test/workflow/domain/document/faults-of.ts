import { loadWorkflow } from '../../../../src/workflow/domain/document/load-workflow.ts';
import { WorkflowError } from '../../../../src/workflow/domain/errors/workflow-error.ts';

/** What loading a document is refused with. */
export function errorOf(json: unknown): WorkflowError {
  try {
    loadWorkflow(json);
  } catch (error) {
    if (isWorkflowError(error)) return error;
    throw error;
  }
  throw new Error('The document is fine');
}

/** Code and pointer of each fault. */
export function faultsOf(json: unknown): readonly string[] {
  const { details } = errorOf(json).details as { details: readonly { code: string; path: string }[] };
  return details.map(({ code, path }) => `${code} ${path}`);
}

function isWorkflowError(error: unknown): error is WorkflowError {
  return error instanceof WorkflowError;
}
