import { StderrLogger, type Logger } from '../../call/logger.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { isRevisionOf2026 } from '../../shared/protocol-era.ts';
import type { ServedClient } from '../service-request.ts';
import type { McpService } from '../service.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { claimParts } from './claim-parts.ts';
import { registerHandlers } from './register-handlers.ts';
import { serverTargetOf, type ServerTarget } from './server-target.ts';
import { Subscriptions } from './subscriptions.ts';
import { PART_METHODS, partsOf, type SurfacePart } from '../surface-part.ts';
import { openTaskDoor } from './task-door.ts';
import type { TaskPort } from '../tasks/task-port.ts';

/** Stops serving on one connection; calling it again does nothing. */
export type DetachFunction = () => void;

/** A service on one server: call it to detach, which any number of calls may do. */
export interface Attachment {
  (): void;
  /** Tells the client, if the server declared that it would or the client subscribed. Never throws. */
  readonly notify: (change: SurfaceChange) => void;
}

export interface AttachOptions {
  /** Where faults of the service go, which a client never sees in full. */
  readonly logger?: Logger;
  /** False where requests to the client would be lost, as with plain JSON over HTTP. Default true. */
  readonly canAsk?: boolean;
}

/**
 * Serves a service on an MCP server of either SDK line, which is recognised by its shape.
 * A later attach to the same server takes over, and detaching the earlier one then leaves it alone.
 */
export function attachService(
  server: unknown,
  service: McpService,
  { logger = new StderrLogger(), canAsk = true }: AttachOptions = {},
): Attachment {
  const target = serverTargetOf(server);
  const wasConnected = isConnected(target);
  const subscriptions = new Subscriptions(target);
  const client = new AttachedClient(target, subscriptions);
  let isDetached = false;
  const scope: AttachScope = { target, canAsk, service, client, isDetached: () => isDetached };
  const parts = partsOf(service);
  let announced: ReadonlySet<SurfacePart>;
  try {
    client.tasks = openTaskDoor(scope, logger);
    const handlers = parts.map((part) => [part, answerRequests(scope, PART_METHODS[part])] as const);
    announced = registerHandlers(target, new Map(handlers));
  } catch (error) {
    // Some handlers may be in place already, and both SDK lines keep them.
    isDetached = true;
    throw error;
  }

  const owns = claimParts(target, parts);
  const announce = (part: SurfacePart): void => {
    if (announced.has(part) && owns(part)) send(target, `notifications/${part}/list_changed`);
  };
  if (wasConnected) announced.forEach(announce);

  const detach = (): void => {
    if (isDetached) return;
    isDetached = true;
    subscriptions.clear();
    announced.forEach(announce);
  };
  // What was switched off since the client subscribed is hidden from it altogether.
  const isHeardOf = (uri: string): boolean =>
    owns('resources') &&
    (is2026(target) || subscriptions.has(uri)) &&
    service.resources?.knows(uri) !== false;
  const notify = (change: SurfaceChange): void => {
    if (isDetached) return;
    if (change.kind !== 'resource') announce(change.kind);
    else if (isHeardOf(change.uri)) send(target, 'notifications/resources/updated', { uri: change.uri });
  };
  const attachment = Object.assign(detach, { notify });
  scope.attachment = attachment;
  return attachment;
}

/** Whoever is at the other end of a server. */
class AttachedClient implements ServedClient {
  tasks: TaskPort | undefined;
  readonly isLocal = false;
  readonly #target: ServerTarget;
  readonly #subscriptions: Subscriptions;

  constructor(target: ServerTarget, subscriptions: Subscriptions) {
    this.#target = target;
    this.#subscriptions = subscriptions;
  }

  /** A server that never heard an initialize is gone after the request, and with it the subscription. */
  get subscriptions(): Subscriptions | undefined {
    const { getClientCapabilities } = this.#target;
    const isForOneRequest =
      getClientCapabilities !== undefined && getClientCapabilities.call(this.#target) === undefined;
    return isForOneRequest ? undefined : this.#subscriptions;
  }
}

/** In this era subscriptions are kept in front of the server, which is to tell all that changes. */
function is2026(target: ServerTarget): boolean {
  const revision = target.getNegotiatedProtocolVersion?.();
  return typeof revision === 'string' && isRevisionOf2026(revision);
}

function isConnected(target: ServerTarget): boolean {
  return target.transport !== undefined && target.transport !== null;
}

function send(target: ServerTarget, method: string, params?: Readonly<Record<string, unknown>>): void {
  if (!isConnected(target)) return;
  const notification = { method, ...(params === undefined ? {} : { params }) };
  // A client that went away needs no news.
  const sent = async (): Promise<unknown> => target.notification?.(notification);
  sent().catch(() => undefined);
}
