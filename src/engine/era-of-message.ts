import { claimOf, isValidEnvelope } from './revisions/2026-07-28/envelope.ts';
import { isRevisionOf2026, type ProtocolEra } from '../shared/protocol-era.ts';

/**
 * The era that has to answer a message, be it with an error. What the body says counts, because proxies change
 * headers: the claim in `_meta`, and for a message without one the revision that its HTTP request names.
 * `initialize` exists in the earlier era only, so it takes a whole envelope to make it a message of 2026-07-28.
 */
export function eraOfMessage(message: unknown, headerRevision?: string): ProtocolEra {
  const method = methodOf(message);
  // Nothing is ever asked of a client of 2026-07-28, so an answer belongs to the earlier era.
  if (method === undefined) return '2025';
  const isHandshake = method === 'initialize' && hasId(message) && !isValidEnvelope(message);
  if (!isHandshake && claimOf(message) !== undefined) return '2026';
  return headerRevision !== undefined && isRevisionOf2026(headerRevision) ? '2026' : '2025';
}

/** As {@link eraOfMessage}, of the body of an HTTP request. Batches ended before 2026-07-28. */
export function eraOfBody(body: unknown, headers: Pick<Headers, 'get'>): ProtocolEra {
  if (!Array.isArray(body)) return eraOfMessage(body, headers.get('mcp-protocol-version') ?? undefined);
  return body.some((message) => claimOf(message) !== undefined) ? '2026' : '2025';
}

function methodOf(message: unknown): unknown {
  return (message as { readonly method?: unknown } | null)?.method;
}

function hasId(message: unknown): boolean {
  return (message as { readonly id?: unknown }).id !== undefined;
}
