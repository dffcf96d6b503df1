import type { Logger } from '../../call/logger.ts';
import { TASK_METHODS } from '../tasks/task-methods.ts';
import { offersTasks, TASK_CAPABILITIES, taskPortOf, type TaskPort } from '../tasks/task-port.ts';
import { answerRequests, type AttachScope } from './answer-request.ts';
import { isVersion2, registerMethod } from './register-method.ts';
import type { RequestHandler, ServerTarget } from './server-target.ts';

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
