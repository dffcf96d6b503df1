import { randomUUID } from 'node:crypto';
import { personOf, type CallExchange } from '../../call/call-exchange.ts';
import { sendQuietly } from '../exchange-members.ts';
import type { ServiceParts } from '../mcp-service.ts';
import { TASKS_EXTENSION } from './task-protocol.ts';
import type { Subject } from './task-record.ts';
import { silentVoice, type TaskVoice } from './task-voice.ts';
import { related, wireTask2025 } from './task-wire.ts';

/** How a connection serves tasks. They are agreed on in two ways, of which each connection has one. */
export interface TaskPort {
  /** By extension since 2026-07-28, call by call in 2025-11-25. */
  readonly protocol: '2025' | '2026';
  /** Whose tasks a request may see. */
  subjectOf(exchange: CallExchange): Subject;
  /** What tells the client of a task that has begun. */
  voiceOf(exchange: CallExchange, taskId: string): TaskVoice;
  /** Questions that are being asked on this connection, so that nobody is asked twice at the same time. */
  readonly asked: Set<string>;
}

/** The connection of a client, of which tasks outlive single requests. */
export interface TaskConnection {
  readonly notification?: (notification: unknown) => unknown;
  readonly sendLoggingMessage?: (params: unknown, sessionId?: string) => unknown;
  /** Undefined before the client introduced itself. */
  readonly getClientCapabilities?: () => unknown;
  /** Set while the client is connected. */
  readonly transport?: unknown;
}

/** What a server declares that serves tasks. */
export const TASK_CAPABILITIES = {
  '2025': { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  '2026': { extensions: { [TASKS_EXTENSION]: {} } },
} as const;

/** Whether calls of any tool can become tasks. */
export function offersTasks({ tools }: ServiceParts): boolean {
  return tools?.list().some(({ execution }) => execution !== undefined) === true;
}

export function taskPortOf(connection: TaskConnection, protocol: TaskPort['protocol']): TaskPort {
  return {
    protocol,
    subjectOf: (exchange) => subjectOf(connection, exchange),
    voiceOf: (exchange, taskId) =>
      protocol === '2025' ? voiceOf(connection, exchange, taskId) : silentVoice,
    asked: new Set(),
  };
}

const connections = new WeakMap<object, string>();

/**
 * Whose tasks a request may see: those of the person that it was authorised for, else those of its session or its
 * connection. A request without any of these sees the tasks of nobody in particular, whose ids only their clients
 * know (spec 2025-11-25: basic/utilities/tasks, Task Isolation and Access Control).
 */
function subjectOf(connection: TaskConnection, { authInfo, sessionId, retry }: CallExchange): Subject {
  if (authInfo !== undefined) return `person:${personOf(authInfo)}`;
  if (sessionId !== undefined) return `session:${sessionId}`;
  return retry === undefined ? subjectOfConnection(connection) : undefined;
}

/** A server that heard an initialize serves one client for as long as it keeps its transport. */
function subjectOfConnection(connection: TaskConnection): Subject {
  const { transport } = connection;
  const isForOneRequest = connection.getClientCapabilities?.() === undefined;
  if (isForOneRequest || typeof transport !== 'object' || transport === null) return undefined;
  const known = connections.get(transport) ?? randomUUID();
  connections.set(transport, known);
  return `connection:${known}`;
}

/**
 * What a client of 2025-11-25 hears of a task. It belongs to no request any more, because that is answered,
 * so it goes over the connection, or nowhere where every request has one of its own.
 */
function voiceOf(connection: TaskConnection, exchange: CallExchange, taskId: string): TaskVoice {
  return {
    ...silentVoice,
    notify: (method, params) =>
      sendQuietly(() => connection.notification?.({ method, params: related(params, taskId) })),
    log: (level, data, logger) => {
      const params = { level, data, ...(logger === undefined ? {} : { logger }) };
      return sendQuietly(() => connection.sendLoggingMessage?.(related(params, taskId), exchange.sessionId));
    },
    status: (task) =>
      sendQuietly(() =>
        connection.notification?.({ method: 'notifications/tasks/status', params: wireTask2025(task) }),
      ),
  };
}
