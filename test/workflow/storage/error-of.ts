import { WorkflowError } from '../../../src/workflow/domain/errors/workflow-error.ts';

/** The domain error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<WorkflowError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof WorkflowError) return outcome.error as WorkflowError;
  throw new Error(`A WorkflowError was expected, not ${JSON.stringify(outcome)}`);
}
