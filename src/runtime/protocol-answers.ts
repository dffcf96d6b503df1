import type { CallToolResult } from '../call/call-tool-result.ts';
import type { ProtocolError } from '../call/protocol-error.ts';

// Beside the result and not in it: inside the process every call gives a result, and nothing of it is sent.
const errors = new WeakMap<object, ProtocolError>();

/** Remembers that a client gets a JSON-RPC error in place of a result, because user code threw one. */
export function answerWithError(result: CallToolResult, error: ProtocolError): CallToolResult {
  errors.set(result, error);
  return result;
}

/** @throws ProtocolError that a client gets in place of the result. */
export function unlessError(result: object): object {
  const error = protocolErrorOf(result);
  if (error !== undefined) throw error;
  return result;
}

/** The error that a client gets in place of the result. */
export function protocolErrorOf(result: object): ProtocolError | undefined {
  return errors.get(result);
}
