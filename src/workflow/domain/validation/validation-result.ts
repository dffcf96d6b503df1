/** How an output was judged, or a document. */
export interface ValidationResult {
  readonly valid: boolean;
  /** One sentence for each fault. */
  readonly issues: readonly string[];
  /** What to change; at least one whenever it is invalid. */
  readonly suggestions: readonly string[];
  readonly details: readonly ValidationDetail[];
}

export interface ValidationDetail {
  /** `CONTAINS_MISSING`, `TOO_SHORT` and so on. */
  readonly code: string;
  /** An RFC 6901 pointer, into the criteria or into the document. */
  readonly path: string;
  /** The type of the rule that failed, where a rule did. */
  readonly ruleType?: string;
  readonly message: string;
  /** More, such as the faults that a schema found. */
  readonly info?: unknown;
}
