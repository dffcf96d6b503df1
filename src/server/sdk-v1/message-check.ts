import { isInitializeRequest, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/** True for what the SDK takes as a message; anything else it drops without an answer. */
export function isProtocolMessage(value: unknown): boolean {
  return JSONRPCMessageSchema.safeParse(value).success;
}

/** True for a complete initialize request. */
export function isInitialize(value: unknown): boolean {
  return isInitializeRequest(value);
}
