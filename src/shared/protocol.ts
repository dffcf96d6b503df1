/** The revisions of the protocol up to 2025-11-25, which begin with a handshake, or those since 2026-07-28. */
export type ProtocolEra = '2025' | '2026';

/** The revisions since 2026-07-28 that are served. */
export const REVISIONS_2026: readonly string[] = Object.freeze(['2026-07-28']);

const FIRST_OF_2026 = '2026-07-28';

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a revision belongs to the era of 2026-07-28, served or not; revisions are dates, so text order is time order. */
export function isRevisionOf2026(revision: string): boolean {
  return revision === FIRST_OF_2026 || (revision > FIRST_OF_2026 && DATE.test(revision));
}

/** The error codes of JSON-RPC 2.0 (5.1 Error object). From -32000 to -32099 they are each server's own. */
export const JSON_RPC_CODES = Object.freeze({
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
});
