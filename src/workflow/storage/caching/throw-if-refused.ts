import type { StorageDiagnostic } from '../../application/ports/workflow-storage.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { outsideFailure } from '../storage-failure.ts';

/**
 * What a workflow that a list left out is answered with when it is asked for.
 * @throws WorkflowError `INVALID_WORKFLOW` or `SECURITY_ERROR`
 */
export function throwIfRefused(workflowId: string, diagnostics: readonly StorageDiagnostic[]): void {
  const own = diagnostics.filter(({ id }) => id === workflowId);
  if (own.some(({ code }) => code === 'SECURITY_ERROR')) throw outsideFailure('read');
  const invalid = own.find(({ code }) => code === 'INVALID_WORKFLOW');
  if (invalid === undefined) return;
  throw new WorkflowError('INVALID_WORKFLOW', {
    where: `workflow "${workflowId}"`,
    message: invalid.message,
    details: { details: invalid.message, ...invalid.details, workflowId },
  });
}
