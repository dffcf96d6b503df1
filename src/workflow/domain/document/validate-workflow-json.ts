import type { ValidationResult } from '../validation/validation-result.ts';
import { checkDocumentText } from './check-document.ts';
import { documentFault } from './document-fault.ts';
import { resultOf } from './result-of.ts';

/**
 * Checks the JSON text of a workflow document in every part, and lists all that is wrong. It never throws.
 *
 * @returns details with codes such as `MISSING_FIELD`, and pointers to the members in question
 * @example
 * validateWorkflowJson('{"name": 5}').details.map(({ code, path }) => `${code} ${path}`);
 */
export function validateWorkflowJson(workflowJson: unknown): ValidationResult {
  if (typeof workflowJson !== 'string') {
    return resultOf([documentFault('CONTENT_REQUIRED', '', 'has to be given, as JSON text.')]);
  }
  return resultOf(checkDocumentText(workflowJson).faults);
}
