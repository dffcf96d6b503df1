import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { outsideFailure, storageFailure, systemCode } from '../storage-failure.ts';
import type { DocumentReading } from './read-document.ts';

export function hasVanished(reading: DocumentReading): boolean {
  return (
    !reading.ok && reading.problem.code === 'UNREADABLE' && systemCode(reading.problem.cause) === 'ENOENT'
  );
}

/**
 * The workflow that a file was said to hold.
 * @throws WorkflowError for a file that changed meanwhile such that it does not
 */
export function documentOf(id: string, reading: DocumentReading): WorkflowDocument {
  if (reading.ok) {
    if (reading.document.id === id) return reading.document;
    throw invalid(id, `The file holds the workflow "${reading.document.id}" now.`);
  }
  const { code, message, cause } = reading.problem;
  if (code === 'SECURITY_ERROR') throw outsideFailure('read');
  if (code === 'UNREADABLE') throw storageFailure('read', cause);
  throw invalid(id, message);
}

function invalid(workflowId: string, reason: string): WorkflowError {
  return new WorkflowError('INVALID_WORKFLOW', {
    where: `workflow "${workflowId}"`,
    message: `The workflow "${workflowId}" cannot be read: ${reason}`,
    details: { workflowId, details: reason },
    suggestions: ['repair the file of the workflow'],
  });
}
