import { checkSubscription } from '../methods/check-subscription.ts';
import type { ServerTarget } from './server-target.ts';

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
