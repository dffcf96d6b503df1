import { checkSubscription } from '../runtime/resources.ts';
import type { ServedClient, SubscribedUris } from '../runtime/service-request.ts';
import type { TaskPort } from '../runtime/tasks/task-port.ts';
import type { ServerTarget } from './server-target.ts';

/** The client at the other end of a server. */
export class AttachedClient implements ServedClient {
  tasks: TaskPort | undefined;
  readonly isLocal = false;
  readonly #target: ServerTarget;
  readonly #subscriptions: Subscriptions;

  constructor(target: ServerTarget, subscriptions: Subscriptions) {
    this.#target = target;
    this.#subscriptions = subscriptions;
  }

  /** A server that never heard an initialize is gone after the request, and with it the subscription. */
  get subscriptions(): SubscribedUris | undefined {
    const { getClientCapabilities } = this.#target;
    const isForOneRequest =
      getClientCapabilities !== undefined && getClientCapabilities.call(this.#target) === undefined;
    return isForOneRequest ? undefined : this.#subscriptions;
  }
}

/**
 * The URIs that the client of a connection subscribed to. They hang on the transport, because a server
 * that is closed and connected again serves another client, and `onclose` belongs to the server's owner.
 */
export class Subscriptions implements SubscribedUris {
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
