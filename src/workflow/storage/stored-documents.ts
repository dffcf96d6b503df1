import { WorkflowError, isWorkflowError, type WorkflowErrorFacts } from '../domain/errors/workflow-error.ts';
import { DOCUMENT_LIMITS, isLookupId, type WorkflowDocument } from '../domain/document/workflow-document.ts';
import { compareText } from '../../shared/canonical-json.ts';
import { isDeeperThan } from '../../shared/json.ts';

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

/** Recursive functions such as `structuredClone` would overflow the stack on such a document. */
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
  const message = `The workflow "${workflowId}" cannot be kept: ${reason}.`;
  return invalidWorkflow(workflowId, { message, details: { details: reason }, cause });
}

/** The error for a document that cannot be used. */
export function invalidWorkflow(
  workflowId: string,
  { details, ...facts }: Omit<WorkflowErrorFacts, 'where'>,
): WorkflowError {
  const where = `workflow "${workflowId}"`;
  return new WorkflowError('INVALID_WORKFLOW', { where, ...facts, details: { ...details, workflowId } });
}

/** A new list, sorted by id. */
export function sortById<Item extends { readonly id: string }>(items: Iterable<Item>): readonly Item[] {
  return [...items].sort((left, right) => compareText(left.id, right.id));
}

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
