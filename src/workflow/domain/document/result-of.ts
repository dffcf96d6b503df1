import type { ValidationResult } from '../validation/validation-result.ts';
import type { DocumentFault } from './document-fault.ts';
import { suggestionOf } from './suggestion-of.ts';

/** The faults of a document as they are told. */
export function resultOf(faults: readonly DocumentFault[]): ValidationResult {
  return {
    valid: faults.length === 0,
    issues: faults.map(({ message }) => message),
    suggestions: [...new Set(faults.map(suggestionOf))],
    details: faults.map(({ code, path, message }) => ({ code, path, message })),
  };
}
