import { isWorkflowError, WorkflowError } from '../domain/errors/workflow-error.ts';

/** The code of a system error, such as `ENOENT`; its message would show paths. */
export function systemCode(error: unknown): string {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

/** What went wrong in a storage, without the path that a system error shows. */
export function storageFailure(operation: string, error: unknown): WorkflowError {
  if (isWorkflowError(error)) return error;
  const cause = systemCode(error);
  return new WorkflowError('STORAGE_ERROR', {
    where: 'the storage of workflows',
    message: `The workflows cannot be used, ${operation} failed: ${cause}.`,
    details: { operation, cause },
    cause: error,
  });
}

/** A file that the directory of a storage does not hold, although something in it leads there. */
export function outsideFailure(action: string): WorkflowError {
  return new WorkflowError('SECURITY_ERROR', {
    where: 'the storage of workflows',
    message: 'The file of the workflow is outside of the directory of the workflows.',
    details: { action },
  });
}
