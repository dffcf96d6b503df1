import { Buffer } from 'node:buffer';
import type { RequestContext } from '../../call/request-context.ts';
import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { isPlainObject } from '../../shared/json.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { TaskError } from './task-record.ts';
import { FailureLog } from '../../shared/failure-log.ts';

/** The extension by which clients of 2026-07-28 declare that they know tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Ties a message to its task in 2025-11-25 (basic/utilities/tasks, Related Task Metadata). */
export const RELATED_TASK = 'io.modelcontextprotocol/related-task';

const METHOD_NOT_FOUND = -32601;
const HEADER_MISMATCH = -32020;
const MISSING_CLIENT_CAPABILITY = -32021;

/** Whether the client declared, with this request, that it knows tasks. */
export function knowsTasks(context: RequestContext): boolean {
  const { extensions } = context.client().capabilities;
  return isPlainObject(extensions) && isPlainObject(extensions[TASKS_EXTENSION]);
}

/** Spec 2026-07-28: extension io.modelcontextprotocol/tasks, Capability Negotiation. */
export function missingExtension(): ProtocolError {
  return new ProtocolError(MISSING_CLIENT_CAPABILITY, `This needs a client that knows ${TASKS_EXTENSION}`, {
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

export function methodNotFound(message: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, message);
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

/**
 * Over HTTP a request repeats the id of its task, for proxies that route by it.
 * @throws ProtocolError when the header says something else than the body.
 */
export function checkNameHeader(context: RequestContext, taskId: string): void {
  const header = context.header('mcp-name');
  // Only HTTP has headers; a client of this revision sends this one with every request.
  const isHttp = header !== undefined || context.header('mcp-method') !== undefined;
  if (!isHttp || decoded(header?.trim()) === taskId) return;
  const said = header === undefined ? 'is missing' : 'names another one';
  throw new ProtocolError(HEADER_MISMATCH, `The body names a task, but the Mcp-Name header ${said}`);
}

/** Values that HTTP could not carry come in Base64 (spec 2026-07-28: basic/transports, Value Encoding). */
function decoded(value: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value ?? '') ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}

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

const RETRY_AFTER = 5;

/** The error of a task that could not be put down, so that nothing was done. */
export function storeIsDown(cause: unknown): ToolError {
  return new ToolError('TRY_AGAIN_LATER', 'The server cannot take tasks now; nothing was done', {
    retryAfter: RETRY_AFTER,
    cause,
  });
}

/** The error of a request about a task, which can be sent again. */
export function storeIsAway(cause: unknown): ToolError {
  return new ToolError(
    'TRY_AGAIN_LATER',
    'The server cannot reach its tasks now; send the same request again',
    {
      retryAfter: RETRY_AFTER,
      cause,
    },
  );
}

/** The error of a call whose task is gone, although it may have run. */
export function lostTask(cause?: unknown): ToolError {
  const message = 'The task of this call is lost, and nobody knows what it has done; it was not run again';
  const suggestion = 'find out what it has done before you call again';
  return new ToolError('OUTCOME_UNKNOWN', message, { suggestion, cause });
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

/** Logs that the store of tasks fails, for one task: the log does not say when it answers again. */
export function taskStoreFailures(taskId: string): FailureLog<'task.store-failed'> {
  return new FailureLog({
    event: 'task.store-failed',
    level: 'warning',
    fails: 'The store of tasks does not answer.',
    facts: (cause) => ({ taskId, cause }),
  });
}
