import { codeOf } from '../../shared/error-shape.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/** The details contain only the code: database messages quote connection strings and rows. */
export function storageFailure(operation: string, cause: unknown): WorkflowError {
  const code = codeOf(cause) ?? (cause instanceof Error ? cause.name : 'UNKNOWN');
  return new WorkflowError('STORAGE_ERROR', {
    where: `the run store, in ${operation}`,
    message: `The run store failed in ${operation}: ${code}.`,
    details: { operation, cause: code },
    cause,
  });
}

/** The error of a store that is not open yet, or closed. */
export function notOpen(operation: string, isClosed: boolean): WorkflowError {
  const state = isClosed ? 'closed' : 'not open yet';
  return new WorkflowError('STORAGE_ERROR', {
    where: `the run store, in ${operation}`,
    message: `The run store is ${state}.`,
    details: { operation, cause: isClosed ? 'CLOSED' : 'NOT_OPEN' },
    suggestions: [isClosed ? 'make a new store' : 'call init() first'],
  });
}

/** The error for importing something that already exists. */
export function alreadyThere(runId: string, what: string): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `run "${runId}"`,
    message: `The store has ${what} already.`,
    details: { runId },
    suggestions: ['import into a store that does not have the run'],
  });
}

/** Imports an optional peer dependency. An import that fails inside the package keeps its cause. */
export async function importPackage<Package>(name: string, load: () => Promise<Package>): Promise<Package> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, name) ? missing(name, error) : error;
  }
}

function isMissing(error: unknown, name: string): boolean {
  return (
    codeOf(error) === 'ERR_MODULE_NOT_FOUND' && error instanceof Error && error.message.includes(`'${name}'`)
  );
}

function missing(name: string, cause: unknown): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_STORE_MISSING', {
    where: name,
    message: `The run store needs the package ${name}, which is not installed.`,
    details: { package: name },
    suggestions: [`npm install ${name}`],
    cause,
  });
}
