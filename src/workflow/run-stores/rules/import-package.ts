import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { codeOf } from './code-of.ts';

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
