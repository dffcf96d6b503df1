/** Of a workflow document. */
export const DOCUMENT_LIMITS = Object.freeze({
  /** Of JSON, in UTF-8. */
  bytes: 1_000_000,
  /** Objects and arrays within each other; more than conditions and compositions that are allowed can need. */
  levels: 1000,
  /** At the top level. */
  steps: 500,
  /** Faults that are told one by one. */
  faults: 1000,
  /** Characters in the pointers of what cannot be read: of names, a document can have a long one on every level. */
  pointers: 100_000,
});
