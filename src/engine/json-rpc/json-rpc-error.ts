import { JSON_RPC_CODES } from '../../shared/protocol.ts';

/** The error codes of JSON-RPC 2.0, `serverError` for refusals of the transport, and those that MCP servers add. */
export const jsonRpcCodes = Object.freeze({
  ...JSON_RPC_CODES,
  sessionNotFound: -32001,
  /** Headers and body of a request disagree (spec 2026-07-28: basic, Error Codes). */
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
});

/** JSON-RPC 2.0, 4: an id establishes which answer is whose. */
export const ID_IS_TAKEN = 'Invalid request: a request with this id is still running';

/** An error for a message that cannot be read, or is refused before a handler runs. */
export interface JsonRpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** `null` when the id could not be read (JSON-RPC 2.0, 5 Response object). */
export type ReplyId = string | number | null;

export function jsonRpcError(failure: JsonRpcFailure, id: ReplyId = null): string {
  const { code, message, data } = failure;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}
