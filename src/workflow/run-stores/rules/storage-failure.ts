import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { codeOf } from './code-of.ts';

/** The details have the code only: messages of databases quote connection strings and rows. */
export function storageFailure(operation: string, cause: unknown): WorkflowError {
  const code = codeOf(cause) ?? (cause instanceof Error ? cause.name : 'UNKNOWN');
  return new WorkflowError('STORAGE_ERROR', {
    where: `the run store, in ${operation}`,
    message: `The run store failed in ${operation}: ${code}.`,
    details: { operation, cause: code },
    cause,
  });
}

/** A store that was not opened yet or is closed. */
export function notOpen(operation: string, isClosed: boolean): WorkflowError {
  const state = isClosed ? 'closed' : 'not open yet';
  return new WorkflowError('STORAGE_ERROR', {
    where: `the run store, in ${operation}`,
    message: `The run store is ${state}.`,
    details: { operation, cause: isClosed ? 'CLOSED' : 'NOT_OPEN' },
    suggestions: [isClosed ? 'make a new store' : 'call init() first'],
  });
}
