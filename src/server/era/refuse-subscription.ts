import { isObject, isRequest } from '../json-rpc/check-messages.ts';
import { jsonRpcCodes, type JsonRpcFailure } from '../json-rpc/json-rpc-error.ts';

const MAXIMUM_URIS = 1000;
/** In characters, as in the subscriptions of the earlier era. */
const MAXIMUM_LENGTH = 8192;
const MAXIMUM_BYTES = 64 * 1024;

/**
 * The error for a subscription that names more resources than are kept for as long as it stays open
 * (spec 2026-07-28: basic/utilities/subscriptions). The SDK keeps whatever it is given.
 */
export function refuseSubscription(message: unknown): JsonRpcFailure | undefined {
  const reason = reasonOf(urisOf(message));
  return reason === undefined
    ? undefined
    : { code: jsonRpcCodes.invalidParams, message: `Invalid params: ${reason}` };
}

/** None where there is nothing to count; of what is no list the protocol server says so. */
function urisOf(message: unknown): readonly unknown[] {
  if (!isRequest(message) || message.method !== 'subscriptions/listen') return [];
  const { params } = message as { readonly params?: unknown };
  const filter = isObject(params) ? params['notifications'] : undefined;
  const uris = isObject(filter) ? filter['resourceSubscriptions'] : undefined;
  return Array.isArray(uris) ? uris : [];
}

function reasonOf(uris: readonly unknown[]): string | undefined {
  if (uris.length > MAXIMUM_URIS) {
    return `resourceSubscriptions names ${String(uris.length)} URIs; at most ${String(MAXIMUM_URIS)} are allowed`;
  }
  const texts = uris.filter((uri) => typeof uri === 'string');
  if (texts.some((uri) => uri.length > MAXIMUM_LENGTH)) {
    return `a URI in resourceSubscriptions is longer than ${String(MAXIMUM_LENGTH)} characters`;
  }
  const bytes = texts.reduce((sum, uri) => sum + Buffer.byteLength(uri), 0);
  if (bytes <= MAXIMUM_BYTES) return undefined;
  return `the URIs in resourceSubscriptions have ${String(bytes)} bytes; at most ${String(MAXIMUM_BYTES)} are allowed`;
}
