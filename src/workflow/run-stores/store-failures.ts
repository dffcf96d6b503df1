import { WorkflowError } from '../domain/errors/workflow-error.ts';

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

/** For an import of something that the store has. */
export function alreadyThere(runId: string, what: string): WorkflowError {
  return new WorkflowError('STATE_ERROR', {
    where: `run "${runId}"`,
    message: `The store has ${what} already.`,
    details: { runId },
    suggestions: ['import into a store that does not have the run'],
  });
}

/** The code of an error, by its form: drivers and Node throw errors of other realms. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}

/** Imports an optional peer. Only its own absence is one; what it fails to find itself keeps its cause. */
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
