import type { McpService } from '../mcp-service.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { AttachScope } from './answer-request.ts';
import { isVersion2, registerMethod } from './register-method.ts';
import type { ServerTarget } from './server-target.ts';
import { taskHandlers, taskHandlers2025 } from './task-handlers.ts';
import { TASKS_EXTENSION } from './task-protocol.ts';

/** How one server serves tasks. Each SDK line speaks one of the two protocols for them. */
export interface TaskDoor {
  readonly tasks: Tasks;
  readonly protocol: '2025' | '2026';
}

/**
 * Declares and serves tasks, if a tool has any. A server that was connected without the capability serves the
 * tools all the same, but no call of them becomes a task.
 */
export function openTaskDoor(scope: AttachScope, { tools, settings }: McpService): TaskDoor | undefined {
  const { tasks } = settings;
  if (tasks === undefined || tools === undefined) return undefined;
  if (tools.list().every(({ execution }) => execution === undefined)) return undefined;
  const { target, logger } = scope;
  const protocol = isVersion2(target) ? '2026' : '2025';
  const handlers = protocol === '2026' ? taskHandlers(scope, tasks) : taskHandlers2025(scope, tasks);
  const failure = declare(target, CAPABILITIES[protocol]) ?? registerAll(target, handlers);
  if (failure === undefined) return { tasks, protocol };
  const message = 'The server was connected without the tasks capability, so no call becomes a task.';
  logger.log({ level: 'warning', event: 'attach.without-tasks', message, cause: failure.cause });
  return undefined;
}

const CAPABILITIES = {
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
  handlers: ReturnType<typeof taskHandlers>,
): { readonly cause: unknown } | undefined {
  for (const [method, handler] of Object.entries(handlers)) {
    const failure = registerMethod(target, method, handler);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
