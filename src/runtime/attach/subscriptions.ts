import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type { ServerTarget } from './server-target.ts';

const MAXIMUM = 1000;
// Templates match URIs of any length, and a client may not fill the memory with them.
const URI_LENGTH = 8192;
/** Of all subscriptions of a connection together, for the same reason. */
const TOTAL_LENGTH = 64 * 1024;

/**
 * Which URIs the client of a connection wants to hear of. They hang on the transport, because a server
 * that is closed and connected again serves another client, and `onclose` belongs to the server's owner.
 */
export class Subscriptions {
  readonly #target: ServerTarget;
  #uris = new WeakMap<object, Set<string>>();

  constructor(target: ServerTarget) {
    this.#target = target;
  }

  /** @throws ProtocolError when the connection has too many. */
  add(uri: string): void {
    const uris = this.#uris.get(this.#connection) ?? new Set();
    if (!uris.has(uri)) checkSubscription(uri, [...uris]);
    this.#uris.set(this.#connection, uris.add(uri));
  }

  remove(uri: string): void {
    this.#uris.get(this.#connection)?.delete(uri);
  }

  has(uri: string): boolean {
    return this.#uris.get(this.#connection)?.has(uri) === true;
  }

  clear(): void {
    this.#uris = new WeakMap();
  }

  get #connection(): object {
    const { transport } = this.#target;
    return typeof transport === 'object' && transport !== null ? transport : this.#target;
  }
}

/**
 * @param others what the connection has subscribed to before
 * @throws ProtocolError when it has too many
 */
export function checkSubscription(uri: string, others: readonly string[]): void {
  if (uri.length > URI_LENGTH) throw refusal(uri.slice(0, 100), `is longer than ${URI_LENGTH} characters`);
  if (others.length >= MAXIMUM) {
    throw refusal(uri, `is one too many: this connection has ${MAXIMUM} subscriptions, unsubscribe first`);
  }
  const length = others.reduce((sum, other) => sum + other.length, uri.length);
  if (length <= TOTAL_LENGTH) return;
  const why = `is too much: the subscriptions of a connection have ${TOTAL_LENGTH} characters together at most, unsubscribe first`;
  throw refusal(uri, why);
}

function refusal(uri: string, why: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `Cannot subscribe: the URI ${why}`, { uri });
}
