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
