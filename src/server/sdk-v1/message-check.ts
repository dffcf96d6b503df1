import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

/** True for a complete initialize request. */
export function isInitialize(value: unknown): boolean {
  return isInitializeRequest(value);
}
