import { StderrLogger, type Logger } from '../../call/logger.ts';
import type { SurfaceChange } from '../../call/notifier.ts';
import { isModernRevision } from '../../shared/protocol-era.ts';
import { createConversations } from '../conversation/conversations.ts';
import type { McpService } from '../mcp-service.ts';
import { answerRequests, type AttachScope, type Methods } from './answer-request.ts';
import { claimParts } from './claim-parts.ts';
import { completionMethods } from './completion-methods.ts';
import { promptMethods } from './prompt-methods.ts';
import { registerHandlers, type PartHandlers } from './register-handlers.ts';
import { resourceMethods, subscriptionMethods } from './resource-methods.ts';
import { serverTargetOf, type ServerTarget } from './server-target.ts';
import { Subscriptions } from './subscriptions.ts';
import { partsOf, type SurfacePart } from './surface-part.ts';
import { openTaskDoor, type TaskDoor } from './task-door.ts';
import { toolMethods } from './tool-methods.ts';

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
  let isDetached = false;
  const conversations = service.settings.conversations ?? createConversations({ server: '', logger });
  const scope: AttachScope = { target, logger, canAsk, conversations, isDetached: () => isDetached };
  const subscriptions = new Subscriptions(target);
  let announced: ReadonlySet<SurfacePart>;
  try {
    const door = openTaskDoor(scope, service);
    announced = registerHandlers(target, handlersOf(scope, service, subscriptions, door));
  } catch (error) {
    // Some handlers may be in place already, and both SDK lines keep them.
    isDetached = true;
    throw error;
  }

  const owns = claimParts(target, partsOf(service));
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
    (isModern(target) || subscriptions.has(uri)) &&
    service.resources?.knows?.(uri) !== false;
  const notify = (change: SurfaceChange): void => {
    if (isDetached) return;
    if (change.kind !== 'resource') announce(change.kind);
    else if (isHeardOf(change.uri)) send(target, 'notifications/resources/updated', { uri: change.uri });
  };
  const attachment = Object.assign(detach, { notify });
  scope.attachment = attachment;
  return attachment;
}

function handlersOf(
  scope: AttachScope,
  { tools, prompts, resources, completions, settings }: McpService,
  subscriptions: Subscriptions,
  door: TaskDoor | undefined,
): PartHandlers {
  const methods = new Map<SurfacePart, Methods>();
  if (tools !== undefined) methods.set('tools', toolMethods(scope, tools, door, settings));
  if (prompts !== undefined) methods.set('prompts', promptMethods(scope, prompts, settings));
  if (resources !== undefined) {
    methods.set('resources', {
      ...resourceMethods(scope, resources, settings),
      ...subscriptionMethods(scope, resources, subscriptions),
    });
  }
  if (completions !== undefined) methods.set('completions', completionMethods(scope, completions));
  return new Map([...methods].map(([part, each]) => [part, answerRequests(scope, each)]));
}

/** In this era subscriptions are kept in front of the server, which is to tell all that changes. */
function isModern(target: ServerTarget): boolean {
  const revision = target.getNegotiatedProtocolVersion?.();
  return typeof revision === 'string' && isModernRevision(revision);
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
