import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { Rejection } from '../../domain/run/run-command.ts';
import type { RunView } from './run-view.ts';

/** The error of a command that was refused. */
export function refusedError(
  runId: string,
  { code, message, details, suggestions }: Rejection,
  view?: RunView,
): WorkflowError {
  return new WorkflowError(code, {
    where: `run "${runId}"`,
    message,
    details: { runId, ...details },
    ...(suggestions !== undefined && { suggestions }),
    ...(view !== undefined && { disclosed: { view } }),
  });
}

/** The same for a run that is not there and for one that the caller may not see. */
export function runNotFound(runId: string): WorkflowError {
  return refusedError(runId, { code: 'RUN_NOT_FOUND', message: `The run "${runId}" does not exist.` });
}

/** Says nothing of the token, and nothing of what it should have been. */
export function invalidToken(): WorkflowError {
  return new WorkflowError('INVALID_TOKEN', {
    where: 'the token',
    message: 'The token is not one that this caller was given for this run.',
  });
}

export function keyMismatch(key: string): WorkflowError {
  return new WorkflowError('IDEMPOTENCY_MISMATCH', {
    where: 'idempotencyKey',
    message: `"${key}" was used for another request.`,
    details: { idempotencyKey: key },
  });
}

/** Too many others changed the run at the same time. */
export function contended(runId: string): WorkflowError {
  return refusedError(runId, {
    code: 'STORAGE_ERROR',
    message: 'The run changed again and again while it was to be changed.',
    details: { operation: 'append', cause: 'CONTENTION' },
  });
}
