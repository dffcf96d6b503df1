import type { MaybePromise } from '../shared/maybe-promise.ts';
import type { Cancellation } from '../call/call-context.ts';
import type { CallExchange } from '../call/call-exchange.ts';
import type { Params } from './methods/request-params.ts';
import { taskPortOf, type TaskPort } from './tasks/task-port.ts';

/** One request to an application, whichever way it came. */
export interface ServiceRequest {
  readonly method: string;
  readonly params: Params;
  readonly exchange: CallExchange;
  /** What the signal of the exchange comes from. */
  readonly cancellation: Cancellation;
  readonly client: ServedClient;
}

/** The resources that a client wants to hear of. */
export interface SubscribedUris {
  /** @throws ProtocolError when the connection has too many */
  add(uri: string): MaybePromise<void>;
  remove(uri: string): MaybePromise<void>;
}

/** What the connection of a request keeps for its client. */
export interface ServedClient {
  /** How its calls become tasks; undefined where they do not. */
  readonly tasks: TaskPort | undefined;
  /** The resources that it subscribed to; undefined where a subscription would end with its request. */
  readonly subscriptions: SubscribedUris | undefined;
  /** It is in the same process, and waits for every call: actions run through, whatever they say of tasks. */
  readonly isLocal: boolean;
}

/** The client of a request that stands for itself. */
export const NO_CLIENT: ServedClient = Object.freeze({
  tasks: undefined,
  subscriptions: undefined,
  isLocal: false,
});

/** The client of a request of 2026-07-28, which stands for itself as well. */
export const CLIENT_2026: ServedClient = Object.freeze({ ...NO_CLIENT, tasks: taskPortOf('2026') });

/** The client that `app.call` is. */
export const LOCAL_CLIENT: ServedClient = Object.freeze({ ...NO_CLIENT, isLocal: true });
