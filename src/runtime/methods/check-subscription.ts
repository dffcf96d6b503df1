import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { shownUri } from '../protocol-failures.ts';

const MAXIMUM = 1000;
// Templates match URIs of any length, and a client may not fill the memory with them.
const URI_LENGTH = 8192;
/** Of all subscriptions of a connection together, for the same reason. */
const TOTAL_LENGTH = 64 * 1024;

/**
 * @param others what the connection has subscribed to before
 * @throws ProtocolError when it has too many
 */
export function checkSubscription(uri: string, others: readonly string[]): void {
  if (uri.length > URI_LENGTH) throw refusal(uri, `is longer than ${URI_LENGTH} characters`);
  if (others.length >= MAXIMUM) {
    throw refusal(uri, `is one too many: this connection has ${MAXIMUM} subscriptions, unsubscribe first`);
  }
  const length = others.reduce((sum, other) => sum + other.length, uri.length);
  if (length <= TOTAL_LENGTH) return;
  const why = `is too much: the subscriptions of a connection have ${TOTAL_LENGTH} characters together at most, unsubscribe first`;
  throw refusal(uri, why);
}

function refusal(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Cannot subscribe: the URI ${why}`, { uri: shownUri(uri) });
}
