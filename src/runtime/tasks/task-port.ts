import type { RequestContext, LogLevel } from '../../call/request-context.ts';
import { ownedName } from '../../call/subject.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { sendQuietly } from '../clients/ask-client.ts';
import { TASKS_EXTENSION } from './task-protocol.ts';
import type { TaskOwner, TaskRecord } from './task-record.ts';
import { related, wireTask2025 } from './task-wire.ts';

/** How a connection serves tasks, by its revision of the protocol. */
export interface TaskPort {
  /** By extension since 2026-07-28, call by call in 2025-11-25. */
  readonly protocol: '2025' | '2026';
  /** The owner whose tasks a request may see. */
  ownerOf(context: RequestContext): TaskOwner;
  /** Notifies the client of a task that has begun. */
  notifierOf(context: RequestContext, taskId: string): TaskNotifier;
  /** The questions now being asked on this connection, so that none is asked twice at the same time. */
  readonly asked: Set<string>;
}

declare module '../../kernel/call/service-request.ts' {
  interface ServedClient {
    /** How its calls become tasks; undefined where they do not. */
    readonly tasks: TaskPort | undefined;
  }
}

/** The connection of a client, whose tasks outlive single requests. */
export interface TaskConnection {
  /** Identifies the connection; undefined for one that ends with its request. */
  readonly id: string | undefined;
  notify(method: string, params: PlainObject): unknown;
  /** Sends a log message, unless the client asked for a higher level only. */
  log(params: LogParams, sessionId: string | undefined): unknown;
}

/** Of the notification that carries a log message (spec: server/utilities/logging, Log Message Notifications). */
export interface LogParams extends PlainObject {
  readonly level: LogLevel;
}

/** The names of the methods, in each revision. */
export const TASK_METHODS: Readonly<Record<TaskPort['protocol'], readonly string[]>> = {
  '2025': ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
  '2026': ['tasks/get', 'tasks/update', 'tasks/cancel'],
};

/** What a server declares that serves tasks. */
export const TASK_CAPABILITIES = {
  '2025': { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  '2026': { extensions: { [TASKS_EXTENSION]: {} } },
} as const;

interface OfferedTools {
  readonly tools: { list(): readonly ToolDefinition[] } | undefined;
}

/** Whether calls of any tool can become tasks. */
export function offersTasks({ tools }: OfferedTools): boolean {
  return tools?.list().some(({ execution }) => execution !== undefined) === true;
}

/** @param connection undefined where every request has one of its own */
export function taskPortOf(protocol: TaskPort['protocol'], connection?: TaskConnection): TaskPort {
  return {
    protocol,
    ownerOf: (context) => ownerOf(connection, context),
    notifierOf: (context, taskId) =>
      protocol === '2025' && connection !== undefined
        ? notifierOf(connection, context, taskId)
        : silentNotifier,
    asked: new Set(),
  };
}

/**
 * Whose tasks a request may see: those of the subject that it was authorized for, else those of its session or its
 * connection. A request without any of these sees the tasks of nobody in particular, whose ids only their clients
 * know (spec 2025-11-25: basic/utilities/tasks, Task Isolation and Access Control).
 */
function ownerOf(
  connection: TaskConnection | undefined,
  { authInfo, sessionId, retry }: RequestContext,
): TaskOwner {
  if (authInfo !== undefined) return ownedName(authInfo);
  if (sessionId !== undefined) return `session:${sessionId}`;
  const id = retry === undefined ? connection?.id : undefined;
  return id === undefined ? undefined : `connection:${id}`;
}

/**
 * Notifies a client of 2025-11-25 of a task. The task's request is already answered, so notifications go over the
 * connection.
 */
function notifierOf(connection: TaskConnection, { sessionId }: RequestContext, taskId: string): TaskNotifier {
  return {
    notify: (method, params) => sendQuietly(() => connection.notify(method, related(params, taskId))),
    log: (level, data, logger) => {
      const params = { level, data, ...(logger === undefined ? {} : { logger }) };
      return sendQuietly(() => connection.log(related(params, taskId), sessionId));
    },
    status: (task) => sendQuietly(() => connection.notify('notifications/tasks/status', wireTask2025(task))),
  };
}

/** Sends a client notifications of its task. It never fails. */
export interface TaskNotifier extends Pick<RequestContext, 'notify' | 'log'> {
  /** Called when the status has changed. */
  status(task: TaskRecord): Promise<void>;
}

/** Tasks of 2026-07-28 have neither progress nor log messages (extension io.modelcontextprotocol/tasks). */
export const silentNotifier: TaskNotifier = Object.freeze({
  notify: () => Promise.resolve(),
  log: () => Promise.resolve(),
  status: () => Promise.resolve(),
});
