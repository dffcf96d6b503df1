/** The error codes of JSON-RPC 2.0 (5.1 Error object). From -32000 to -32099 they are each server's own. */
export const JSON_RPC_CODES = Object.freeze({
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  serverError: -32000,
});
