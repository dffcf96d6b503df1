import { MODERN_REVISIONS } from '../../shared/protocol-era.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../json-rpc/json-rpc-error.ts';
import { claimOf } from './envelope.ts';

/** The error for a message in a revision that is not served (spec 2026-07-28: basic/versioning). */
export function refuseRevision(message: unknown): JsonRpcFailure | undefined {
  const requested = claimOf(message)?.revision;
  // What is no revision at all breaks the envelope, which the protocol server says in detail.
  if (typeof requested !== 'string' || MODERN_REVISIONS.includes(requested)) return undefined;
  return {
    code: jsonRpcCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${requested.slice(0, 100)}`,
    data: { supported: MODERN_REVISIONS, requested: requested.slice(0, 100) },
  };
}
