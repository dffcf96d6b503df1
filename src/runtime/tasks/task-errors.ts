import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { TaskError } from './task-record.ts';

/** The error of an id that nobody gave out, that has expired, or whose task belongs to somebody else: all look alike. */
export function unknownTask(): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, 'Task not found: it does not exist here, or it has expired');
}

/** The error of a store that is full. */
export function tooManyTasks(): ToolError {
  return new ToolError('TASK_LIMIT', 'There are too many tasks already', {
    suggestion: 'cancel a task, or try again later',
  });
}

/** The error of a question that nobody will answer any more. */
export function taskIsOver(method: string): ToolError {
  const message = `The client cannot be asked any more (${method}), because the task is over`;
  return new ToolError('CLIENT_UNREACHABLE', message);
}

/** What a task ends with whose process stopped. */
export const RUNNER_GONE: TaskError = Object.freeze({
  code: -32603,
  message: 'The server that ran this task stopped before the task was done',
});
