/** Of a workflow document. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Of JSON, in UTF-8. */
  bytes: 1_000_000,
  /** Objects and arrays within each other; more than conditions and compositions that are allowed can need. */
  levels: 1000,
  /** Faults that are told one by one. */
  faults: 1000,
});
