import { WorkflowError } from '../../src/workflow/domain/errors/workflow-error.ts';
import { rejectionOf } from './thrown.ts';

/** The error of workflows that a promise is rejected with. */
export const refusal = (work: Promise<unknown>): Promise<WorkflowError> => rejectionOf(work, WorkflowError);

export async function refusalCode(work: Promise<unknown>): Promise<string> {
  return (await refusal(work)).code;
}
