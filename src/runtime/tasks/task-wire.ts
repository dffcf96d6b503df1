import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { TaskRecord, TaskStatus } from './task-record.ts';
import { RELATED_TASK } from './task-protocol.ts';

/** A task as 2026-07-28 sends it (extension io.modelcontextprotocol/tasks, Tasks). */
export function wireTask(task: TaskRecord): PlainObject {
  return { ...commonMembers(task), status: task.status, ttlMs: task.ttl, pollIntervalMs: task.pollInterval };
}

/** With what its status adds: the questions, the result or the error. */
export function wireDetailedTask(task: TaskRecord): PlainObject {
  const { outcome, questions, status } = task;
  return {
    ...wireTask(task),
    ...(status === 'input_required' ? { inputRequests: questions } : {}),
    ...(outcome?.kind === 'result' ? { result: { resultType: 'complete', ...outcome.result } } : {}),
    ...(outcome?.kind === 'error' ? { error: outcome.error } : {}),
  };
}

/** A task as 2025-11-25 sends it (basic/utilities/tasks, Task). */
export function wireTask2025(task: TaskRecord): PlainObject {
  const failure = failureText(task);
  return {
    ...commonMembers(task),
    ...(failure === undefined ? {} : { statusMessage: failure }),
    status: status2025(task),
    ttl: task.ttl,
    pollInterval: task.pollInterval,
  };
}

/** A message with the task that it belongs to. */
export function related<Members extends PlainObject>(members: Members, taskId: string): Members {
  const meta = isPlainObject(members['_meta']) ? members['_meta'] : {};
  return { ...members, _meta: { ...meta, [RELATED_TASK]: { taskId } } };
}

function commonMembers({ taskId, statusMessage, createdAt, lastUpdatedAt }: TaskRecord): PlainObject {
  return {
    taskId,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(lastUpdatedAt).toISOString(),
  };
}

/** There, a tool that reports an error makes its task fail; in 2026-07-28 that completes it. */
function status2025(task: TaskRecord): TaskStatus {
  return task.status === 'completed' && isErrorResult(task) ? 'failed' : task.status;
}

function isErrorResult({ outcome }: TaskRecord): boolean {
  return outcome?.kind === 'result' && outcome.result['isError'] === true;
}

/** The first text of a result that is an error: a client may stop at the status and never ask for the result. */
function failureText(task: TaskRecord): string | undefined {
  if (!isErrorResult(task) || task.outcome?.kind !== 'result') return undefined;
  const [first] = task.outcome.result['content'] as readonly PlainObject[];
  return typeof first?.['text'] === 'string' ? first['text'] : undefined;
}
