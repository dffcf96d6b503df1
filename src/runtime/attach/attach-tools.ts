import { StderrLogger, type Logger } from '../../call/logger.ts';
import type { ToolService } from '../tool-service.ts';
import { registerToolHandlers } from './register-handlers.ts';
import { serverTargetOf, type ServerTarget } from './server-target.ts';
import { toolHandlers } from './tool-handlers.ts';

/** Tools on one server: call it to detach, which any number of calls may do. */
export interface Attachment {
  (): void;
  /** Tells the client that the list changed, when the server declared that it would. Never throws. */
  readonly notifyToolsChanged: () => void;
}

export interface AttachOptions {
  /** Where faults of the service go, which a client never sees in full. */
  readonly logger?: Logger;
}

// Under the global registry, so that two copies of the package agree on who owns a server.
const ATTACHMENT = Symbol.for('toolwright:attachment');

/**
 * Serves the tools on an MCP server of either SDK line, which is recognised by its shape.
 * A later attach to the same server takes over, and detaching the earlier one then leaves it alone.
 */
export function attachTools(
  server: unknown,
  service: ToolService,
  { logger = new StderrLogger() }: AttachOptions = {},
): Attachment {
  const target = serverTargetOf(server);
  const wasConnected = isConnected(target);
  let isDetached = false;
  const handlers = toolHandlers(target, () => (isDetached ? undefined : service), logger);
  const announcesChanges = registerToolHandlers(target, handlers);

  const owner = Object.freeze({});
  const isOwner = (): boolean => (target as { [ATTACHMENT]?: unknown })[ATTACHMENT] === owner;
  Reflect.defineProperty(target, ATTACHMENT, { value: owner, configurable: true, enumerable: false });
  const announce = (): void => {
    if (announcesChanges && isOwner() && isConnected(target)) sendToolsChanged(target);
  };
  if (wasConnected) announce();

  const detach = (): void => {
    if (isDetached) return;
    isDetached = true;
    announce();
  };
  const notifyToolsChanged = (): void => {
    if (!isDetached) announce();
  };
  return Object.assign(detach, { notifyToolsChanged });
}

function isConnected(target: ServerTarget): boolean {
  return target.transport !== undefined && target.transport !== null;
}

function sendToolsChanged(target: ServerTarget): void {
  const send = async (): Promise<void> => {
    if (target.sendToolListChanged !== undefined) await target.sendToolListChanged();
    else await target.notification?.({ method: 'notifications/tools/list_changed' });
  };
  // A client that went away needs no news.
  send().catch(() => undefined);
}
