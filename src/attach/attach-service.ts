import type { Logger } from '../call/logger.ts';
import { StderrLogger } from '../call/stderr-logger.ts';
import type { ChangeNotice } from '../call/notifier.ts';
import type { McpService } from '../runtime/service.ts';
import { PART_METHODS, partsOf, type PartName } from '../runtime/routes/service-parts.ts';
import { isRevisionOf2026 } from '../shared/protocol.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { registerHandlers, registerTasks } from './register-handlers.ts';
import { findServer, type AttachedServer } from './server-target.ts';
import { checkSubscription, maySee } from '../runtime/clients/changes.ts';
import { ANONYMOUS } from '../runtime/requirements/authorization.ts';
import type { CallerFacts } from '../kernel/call/authority.ts';
import type { ServedClient, SubscribedUris } from '../kernel/call/service-request.ts';
import { thenMaybe } from '../shared/maybe-promise.ts';
import type { TaskPort } from '../runtime/tasks/task-port.ts';

/** Stops serving on one connection; calling it again does nothing. */
export type DetachFunction = () => void;

/** A service on one server: call it to detach, which any number of calls may do. */
export interface Attachment {
  (): void;
  /** Notifies the client, if the server declared the capability or the client subscribed. Never throws. */
  readonly notify: (change: ChangeNotice) => void;
}

/**
 * Serves a service on an MCP server of either SDK line, which is recognised by its shape.
 * A later attach to the same server takes over, and detaching the earlier one then leaves it alone.
 *
 * @param logger receives messages for the owner of the server, which clients never see
 */
export function attachService(
  server: unknown,
  service: McpService,
  logger: Logger = new StderrLogger(),
): Attachment {
  const target = findServer(server);
  const wasConnected = isConnected(target);
  const subscriptions = new Subscriptions(target);
  const client = new AttachedClient(target, subscriptions);
  const scope: AttachScope = { target, service, client, isDetached: false };
  const parts = partsOf(service);
  let announced: ReadonlySet<PartName>;
  try {
    client.tasks = registerTasks(scope, logger);
    const handlers = parts.map((part) => [part, answerRequests(scope, PART_METHODS[part])] as const);
    announced = registerHandlers(target, new Map(handlers));
  } catch (error) {
    // Some handlers may be in place already, and both SDK lines keep them.
    scope.isDetached = true;
    throw error;
  }

  const owns = claimParts(target, parts);
  const announce = (part: PartName): void => {
    if (announced.has(part) && owns(part)) send(target, `notifications/${part}/list_changed`);
  };
  if (wasConnected) announced.forEach(announce);

  const detach = (): void => {
    if (scope.isDetached) return;
    scope.isDetached = true;
    subscriptions.clear();
    announced.forEach(announce);
  };
  // A resource that was disabled after the subscription is hidden from the client completely.
  const isKnown = (uri: string): boolean =>
    owns('resources') &&
    (is2026(target) || subscriptions.has(uri)) &&
    service.resources?.knows(uri) !== false;
  const update = (uri: string): void => {
    if (!scope.isDetached) send(target, 'notifications/resources/updated', { uri });
  };
  const notify = (change: ChangeNotice): void => {
    if (scope.isDetached) return;
    if (change.kind !== 'resource') announce(change.kind);
    else if (isKnown(change.uri)) {
      const { uri } = change;
      void thenMaybe(maySee(service, uri, subscriptions.latest), (isSeen) => isSeen && update(uri));
    }
  };
  const attachment = Object.assign(detach, { notify });
  scope.attachment = attachment;
  return attachment;
}

/** In this era subscriptions are handled in front of the server, so the server must report every change. */
function is2026(target: AttachedServer): boolean {
  const revision = target.getNegotiatedProtocolVersion?.();
  return typeof revision === 'string' && isRevisionOf2026(revision);
}

function isConnected(target: AttachedServer): boolean {
  return target.transport !== undefined && target.transport !== null;
}

function send(target: AttachedServer, method: string, params?: Readonly<Record<string, unknown>>): void {
  if (!isConnected(target)) return;
  const notification = { method, ...(params === undefined ? {} : { params }) };
  // A disconnected client needs no notification.
  const sent = async (): Promise<unknown> => target.notification?.(notification);
  sent().catch(() => undefined);
}

// In the global registry, so that two copies of the package share the ownership of a server's parts.
const ATTACHMENT = Symbol.for('toolwright:attachment');

/**
 * Makes the caller the owner of parts of a server; a later caller takes over what it claims.
 * @returns whether a part is still the caller's
 */
function claimParts(target: AttachedServer, parts: Iterable<PartName>): (part: PartName) => boolean {
  const owner = Object.freeze({});
  const known = (target as { [ATTACHMENT]?: Partial<Record<PartName, unknown>> })[ATTACHMENT];
  const owners = known ?? {};
  for (const part of parts) owners[part] = owner;
  // Fails for a frozen server; then a later caller cannot be recognised.
  Reflect.defineProperty(target, ATTACHMENT, { value: owners, configurable: true, enumerable: false });
  return (part) => owners[part] === owner;
}

/** The client at the other end of a server. */
class AttachedClient implements ServedClient {
  tasks: TaskPort | undefined;
  readonly changes = undefined;
  readonly isLocal = false;
  readonly #target: AttachedServer;
  readonly #subscriptions: Subscriptions;

  constructor(target: AttachedServer, subscriptions: Subscriptions) {
    this.#target = target;
    this.#subscriptions = subscriptions;
  }

  /** Undefined without an initialize: such a server ends with its request, and so would the subscription. */
  get subscriptions(): SubscribedUris | undefined {
    const { getClientCapabilities } = this.#target;
    const isForOneRequest =
      getClientCapabilities !== undefined && getClientCapabilities.call(this.#target) === undefined;
    return isForOneRequest ? undefined : this.#subscriptions;
  }
}

/**
 * The URIs that the client of a connection subscribed to. They are stored by transport, because a server
 * that is closed and reconnected serves another client, and `onclose` belongs to the server's owner.
 */
class Subscriptions implements SubscribedUris {
  readonly #target: AttachedServer;
  #uris = new WeakMap<object, Set<string>>();
  readonly #latest = new WeakMap<object, CallerFacts>();

  constructor(target: AttachedServer) {
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

  servedFor(request: CallerFacts): void {
    this.#latest.set(this.#connection, request);
  }

  get latest(): CallerFacts {
    return this.#latest.get(this.#connection) ?? ANONYMOUS;
  }

  clear(): void {
    this.#uris = new WeakMap();
  }

  get #connection(): object {
    const { transport } = this.#target;
    return typeof transport === 'object' && transport !== null ? transport : this.#target;
  }
}
