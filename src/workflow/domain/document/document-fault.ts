import type { ValidationResult } from '../validation/output-validator.ts';

/** What can be wrong with a part of a document. */
export type DocumentFaultCode =
  | 'CONTENT_REQUIRED'
  | 'CONTENT_EMPTY'
  | 'INVALID_JSON'
  | 'MISSING_FIELD'
  | 'UNKNOWN_PROPERTY'
  | 'WRONG_TYPE'
  | 'PATTERN_MISMATCH'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'TOO_FEW_ITEMS'
  | 'OUT_OF_RANGE'
  | 'DUPLICATE_ITEM'
  | 'DUPLICATE_STEP_ID'
  | 'INVALID_REFERENCE'
  | 'TOO_LARGE'
  | 'INVALID_CONDITION'
  | 'INVALID_CRITERIA';

/** One thing that is wrong with a document. */
export interface DocumentFault {
  readonly code: DocumentFaultCode;
  /** An RFC 6901 pointer to the member in question, be it missing or unknown; `""` is the document. */
  readonly path: string;
  /** One sentence. */
  readonly message: string;
}

/** @param what goes on from the name of the place, as in `has to be a string.` */
export function documentFault(code: DocumentFaultCode, path: string, what: string): DocumentFault {
  return { code, path, message: `${path === '' ? 'The document' : `"${path}"`} ${what}` };
}

/** The faults of a document as they are told. */
export function resultOf(faults: readonly DocumentFault[]): ValidationResult {
  return {
    valid: faults.length === 0,
    issues: faults.map(({ message }) => message),
    suggestions: [...new Set(faults.map(suggestionOf))],
    details: faults.map(({ code, path, message }) => ({ code, path, message })),
  };
}

const ID = 'Write an id with lowercase letters, digits, hyphens only, 3 to 64 of them.';

/** By pointer; the first one counts. */
const OF_PLACES: readonly (readonly [
  path: RegExp,
  suggestion: string,
  codes?: readonly DocumentFaultCode[],
])[] = [
  [/\/id$/, 'Give every step an id of its own.', ['DUPLICATE_STEP_ID']],
  [/\/id$/, ID, ['MISSING_FIELD', 'WRONG_TYPE', 'PATTERN_MISMATCH', 'TOO_SHORT', 'TOO_LONG']],
  [/^\/version$/, 'Write the version as a semantic version in full, such as "1.2.0", without a "v".'],
  [/^\/steps$/, 'Give the workflow at least one step.', ['MISSING_FIELD', 'WRONG_TYPE', 'TOO_FEW_ITEMS']],
  [/^\/steps$/, 'Split the workflow: it can have 500 steps.', ['TOO_LARGE']],
  [
    /^\/steps\/\d+\/body$/,
    'Give the loop at least one step.',
    ['MISSING_FIELD', 'WRONG_TYPE', 'TOO_FEW_ITEMS'],
  ],
  [/^\/steps\/\d+\/type$/, 'Set the type of a step to "loop", or leave it out.', ['UNKNOWN_PROPERTY']],
  [/^\/steps\/\d+\/body\/\d+\/(type|loop|body)$/, 'Take the loop out of the loop.', ['UNKNOWN_PROPERTY']],
];

const OF_CODES: Readonly<Record<DocumentFaultCode, string>> = {
  CONTENT_REQUIRED: 'Give the workflow as JSON text.',
  CONTENT_EMPTY: 'Give the workflow as JSON text: an object with id, name, description, version and steps.',
  INVALID_JSON: 'Correct the JSON: look for missing quotes and brackets, and for commas that are too many.',
  MISSING_FIELD: 'Add what is missing:',
  UNKNOWN_PROPERTY: 'Remove or rename what is not known:',
  WRONG_TYPE: 'Change the type of',
  PATTERN_MISMATCH: 'Change the form of',
  TOO_SHORT: 'Write more in',
  TOO_LONG: 'Shorten',
  TOO_FEW_ITEMS: 'Add an item to',
  OUT_OF_RANGE: 'Choose an allowed value for',
  DUPLICATE_ITEM: 'Remove what is there twice:',
  DUPLICATE_STEP_ID: 'Give every step an id of its own.',
  INVALID_REFERENCE:
    'Name, as the body of a loop, a step at the top level that is not a loop, in one loop only:',
  TOO_LARGE: 'Make the document smaller and flatter.',
  INVALID_CONDITION:
    'Write conditions with var, equals, not_equals, gt, gte, lt, lte, and, or, not, and nothing else:',
  INVALID_CRITERIA:
    'Write criteria as rules of type contains, regex, length or schema, or compose them with one of and, or, not:',
};

/** What to do about a fault. */
function suggestionOf({ code, path }: DocumentFault): string {
  const place = OF_PLACES.find(([pattern, , codes]) => pattern.test(path) && (codes?.includes(code) ?? true));
  if (place !== undefined) return place[1];
  const suggestion = OF_CODES[code];
  return /[a-z:]$/.test(suggestion) ? `${suggestion} "${path}".` : suggestion;
}
