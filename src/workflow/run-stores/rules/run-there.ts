import { WorkflowError } from '../../domain/errors/workflow-error.ts';

/** For an import of something that the store has. */
export function alreadyThere(runId: string, what: string): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `run "${runId}"`,
    message: `The store has ${what} already.`,
    details: { runId },
    suggestions: ['import into a store that does not have the run'],
  });
}
