import { DOCUMENT_LIMITS, isDeeperThan } from '../domain/document/document-limits.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';

/** Nothing that calls itself, as `structuredClone` does, can be let near such a document. */
export function isTooDeep(document: unknown): boolean {
  return isDeeperThan(document, DOCUMENT_LIMITS.levels);
}

/**
 * A deep copy of what a caller gave.
 * @throws WorkflowError `INVALID_WORKFLOW` for what nests too deep, or is more than JSON could say
 */
export function copyDocument(document: WorkflowDocument): WorkflowDocument {
  if (isTooDeep(document)) {
    throw uncopied(document, `it has more than ${DOCUMENT_LIMITS.levels} levels of nesting`);
  }
  try {
    return structuredClone(document);
  } catch (cause) {
    throw uncopied(document, 'it has parts that JSON has not', cause);
  }
}

function uncopied({ id }: WorkflowDocument, reason: string, cause?: unknown): WorkflowError {
  const workflowId = id.slice(0, 64);
  return new WorkflowError('INVALID_WORKFLOW', {
    where: `workflow "${workflowId}"`,
    message: `The workflow "${workflowId}" cannot be kept: ${reason}.`,
    details: { workflowId, details: reason },
    cause,
  });
}
