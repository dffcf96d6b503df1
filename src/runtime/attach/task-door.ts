import type { McpService } from '../mcp-service.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { isVersion2, registerMethod } from './register-method.ts';
import type { ServerTarget } from './server-target.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { taskMethods, taskMethods2025 } from './task-methods.ts';
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
export function openTaskDoor(scope: AttachScope, service: McpService): TaskDoor | undefined {
  const { tasks } = service.settings;
  if (tasks === undefined || !offersTasks(service)) return undefined;
  const { target, logger } = scope;
  const protocol = isVersion2(target) ? '2026' : '2025';
  const methods = protocol === '2026' ? taskMethods(scope, tasks) : taskMethods2025(scope, tasks);
  const handlers = answerRequests(scope, methods);
  const failure = declare(target, TASK_CAPABILITIES[protocol]) ?? registerAll(target, handlers);
  if (failure === undefined) return { tasks, protocol };
  const message = 'The server was connected without the tasks capability, so no call becomes a task.';
  logger.log({ level: 'warning', event: 'attach.without-tasks', message, cause: failure.cause });
  return undefined;
}

/** Whether calls of any tool can become tasks. */
export function offersTasks({ tools, settings }: McpService): boolean {
  return (
    settings.tasks !== undefined && tools?.list().some(({ execution }) => execution !== undefined) === true
  );
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
  handlers: ReturnType<typeof answerRequests>,
): { readonly cause: unknown } | undefined {
  for (const [method, handler] of Object.entries(handlers)) {
    const failure = registerMethod(target, method, handler);
    if (failure !== undefined) return failure;
  }
  return undefined;
}
