import { randomUUID } from 'node:crypto';
import type { CallExchange } from '../../call/call-exchange.ts';
import type { Logger } from '../../call/logger.ts';
import { personOf } from '../../call/person-of.ts';
import type { ServedClient } from '../service-request.ts';
import type { ServiceParts } from '../mcp-service.ts';
import { silentVoice } from '../tasks/task-voice.ts';
import type { Subject } from '../tasks/task-record.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { isVersion2, registerMethod } from './register-method.ts';
import type { RequestHandler, ServerTarget } from './server-target.ts';
import { TASK_METHODS } from './task-methods.ts';
import type { TaskPort } from './task-port.ts';
import { TASKS_EXTENSION } from './task-protocol.ts';
import { voiceOf } from './voice-of-2025.ts';

/**
 * Declares and serves tasks, if a tool has any. A server that was connected without the capability serves the
 * tools all the same, but no call of them becomes a task.
 */
export function openTaskDoor(scope: AttachScope, logger: Logger): TaskPort | undefined {
  const { target, service } = scope;
  if (!offersTasks(service)) return undefined;
  const protocol = isVersion2(target) ? '2026' : '2025';
  const handlers = answerRequests(scope, TASK_METHODS[protocol]);
  const failure = declare(target, TASK_CAPABILITIES[protocol]) ?? registerAll(target, handlers);
  if (failure === undefined) return taskPortOf(target, protocol);
  const message = 'The server was connected without the tasks capability, so no call becomes a task.';
  logger.log({ level: 'warning', event: 'attach.without-tasks', message, cause: failure.cause });
  return undefined;
}

/** Whether calls of any tool can become tasks. */
export function offersTasks({ tools }: ServiceParts): boolean {
  return tools?.list().some(({ execution }) => execution !== undefined) === true;
}

/** The client of a request of 2026-07-28, which stands for itself. */
export const MODERN_CLIENT: ServedClient = Object.freeze({
  tasks: taskPortOf({ setRequestHandler: () => undefined }, '2026'),
  subscriptions: undefined,
  isLocal: false,
});

/** Tasks of a connection, as the target of its server knows it. */
export function taskPortOf(target: ServerTarget, protocol: TaskPort['protocol']): TaskPort {
  return {
    protocol,
    subjectOf: (exchange) => subjectOf(target, exchange),
    voiceOf: (exchange, taskId) => (protocol === '2025' ? voiceOf(target, exchange, taskId) : silentVoice),
    asked: new Set(),
  };
}

/** What a server declares that serves tasks. */
export const TASK_CAPABILITIES = {
  '2025': { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  '2026': { extensions: { [TASKS_EXTENSION]: {} } },
} as const;

/** Both SDK lines refuse new capabilities once they are connected. */
function declare(target: ServerTarget, capabilities: object): { readonly cause: unknown } | undefined {
  try {
    target.registerCapabilities?.({ ...capabilities });
    return undefined;
  } catch (cause) {
    const [name = ''] = Object.keys(capabilities);
    const declared = target.getCapabilities?.() as Readonly<Record<string, unknown>> | undefined;
    return declared?.[name] === undefined ? { cause } : undefined;
  }
}

function registerAll(
  target: ServerTarget,
  handlers: Readonly<Record<string, RequestHandler>>,
): { readonly cause: unknown } | undefined {
  for (const [method, handler] of Object.entries(handlers)) {
    const failure = registerMethod(target, method, handler);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

const connections = new WeakMap<object, string>();

/**
 * Whose tasks a request may see: those of the person that it was authorised for, else those of its session or its
 * connection. A request without any of these sees the tasks of nobody in particular, whose ids only their clients
 * know (spec 2025-11-25: basic/utilities/tasks, Task Isolation and Access Control).
 */
function subjectOf(target: ServerTarget, { authInfo, sessionId, retry }: CallExchange): Subject {
  if (authInfo !== undefined) return `person:${personOf(authInfo)}`;
  if (sessionId !== undefined) return `session:${sessionId}`;
  return retry === undefined ? connectionOf(target) : undefined;
}

/** A server that heard an initialize serves one client for as long as it keeps its transport. */
function connectionOf(target: ServerTarget): Subject {
  const { transport } = target;
  const isForOneRequest = target.getClientCapabilities?.() === undefined;
  if (isForOneRequest || typeof transport !== 'object' || transport === null) return undefined;
  const known = connections.get(transport) ?? randomUUID();
  connections.set(transport, known);
  return `connection:${known}`;
}
