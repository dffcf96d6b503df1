import { rpcCodes } from './rpc-codes.ts';
import type { RpcFailure } from './rpc-failure.ts';
import type { RpcId } from './rpc-request.ts';

/** A result as JSON text. */
export function writeResult(id: RpcId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

/** A failure as JSON text. */
export function writeFailure(id: RpcId, { name, message, data }: RpcFailure): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code: rpcCodes[name], message: `${name}: ${message}`, data },
  });
}
