import { WorkflowError } from '../errors/workflow-error.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { checkDocumentText, checkDocumentValue } from './check-document.ts';
import type { DocumentFault } from './document-fault.ts';
import { hashOfDocument } from './hash-of.ts';
import { resultOf } from './result-of.ts';
import type { WorkflowDefinition, WorkflowDocument } from './workflow-document.ts';

/**
 * Checks a workflow document in every part, its conditions, regular expressions and JSON Schemas included.
 *
 * @param json JSON text, or the value it stands for
 * @returns a deeply frozen copy, with its hash
 * @throws WorkflowError `INVALID_WORKFLOW`; its details list every fault, as `validateWorkflowJson` does
 * @example
 * const { id, hash } = loadWorkflow({
 *   id: 'release',
 *   name: 'Release',
 *   description: 'Bring a version out',
 *   version: '1.0.0',
 *   steps: [{ id: 'notes', title: 'Notes', prompt: 'Write the release notes.' }],
 * });
 */
export function loadWorkflow(json: unknown): WorkflowDefinition {
  const { document, faults } = typeof json === 'string' ? checkDocumentText(json) : checkDocumentValue(json);
  const [first] = faults;
  if (first !== undefined) throw invalidWorkflow(document, faults, first);
  const valid = document as WorkflowDocument;
  return Object.freeze({ ...valid, hash: hashOfDocument(valid) });
}

function invalidWorkflow(
  document: unknown,
  faults: readonly DocumentFault[],
  first: DocumentFault,
): WorkflowError {
  const { issues, suggestions, details } = resultOf(faults);
  const workflowId = idOf(document);
  const name = workflowId === undefined ? 'A workflow document' : `Workflow "${workflowId}"`;
  const more = faults.length > 1 ? ` There are ${faults.length - 1} faults more.` : '';
  return new WorkflowError('INVALID_WORKFLOW', {
    where: workflowId === undefined ? 'a workflow document' : `workflow "${workflowId}"`,
    message: `${name} is not valid: ${first.message}${more}`,
    details: { ...(workflowId !== undefined && { workflowId }), issues, details },
    suggestions,
  });
}

/** An id that is one: others are among the faults. */
function idOf(document: unknown): string | undefined {
  const id = isPlainObject(document) ? document.id : undefined;
  return typeof id === 'string' && /^[a-z0-9-]{3,64}$/.test(id) ? id : undefined;
}
