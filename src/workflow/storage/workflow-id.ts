import { isLookupId } from '../application/check-request.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/**
 * The id in its normal form (NFC), in which it can be part of a file name.
 * @throws WorkflowError `SECURITY_ERROR` for a NUL, `INVALID_WORKFLOW` for whatever else cannot be an id
 */
export function checkWorkflowId(id: string): string {
  if (id.includes('\0')) {
    throw new WorkflowError('SECURITY_ERROR', {
      where: 'the id of a workflow',
      message: 'The id of the workflow holds a NUL character.',
      details: { action: 'look up a workflow' },
      suggestions: ['use letters, digits, "_" and "-" only'],
    });
  }
  const normal = id.normalize('NFC');
  if (isLookupId(normal)) return normal;
  throw new WorkflowError('INVALID_WORKFLOW', {
    where: 'the id of a workflow',
    message: 'The id of a workflow has 1 to 64 letters, digits, "_" or "-".',
    details: { workflowId: normal.slice(0, 64), details: 'the id is not one that a workflow can have' },
    suggestions: ['use letters, digits, "_" and "-" only'],
  });
}
