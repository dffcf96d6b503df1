import { cancelledError } from '../../call/request-client.ts';
import { isSuspension } from '../../call/step.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { brandResult } from '../../call/handler-value.ts';
import { failureResult } from '../../call/result-helpers.ts';
import type { CallToolResult, InputRequest } from '../../call/results.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { Call } from '../../kernel/call/call.ts';
import { failureOf, resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import { findRestartRule } from './queued-call.ts';
import type { TaskRunner } from './task-runner.ts';
import { lostTask } from '../../runtime/tasks/task-protocol.ts';
import { endOfLife, isTerminal, type TaskAnswer, type TaskRecord } from '../../runtime/tasks/task-record.ts';

/** Hands a call over to the workers of its queue. What follows runs in the process of one of them. */
export const compileHandOver: CompileStage = ({ queue }) => {
  if (queue === undefined) return undefined;
  return (next) => (attempt) => {
    const { handOver } = attempt.call;
    return handOver === undefined ? next(attempt) : handOver(attempt.place.version);
  };
};

/** Puts down that a handler begins, where it must not begin a second time. */
export const compileBegin: CompileStage = (action, { needs }) => {
  const rule = findRestartRule(action, needs);
  if (action.queue === undefined || rule === 'again') return undefined;
  return (next) => (attempt) => {
    const { origin } = attempt.call;
    return origin.task === undefined ? next(attempt) : origin.task.begin(rule).then(() => next(attempt));
  };
};

/** Under this name, a call that asks its client remembers its task from round to round. */
const STEP = 'toolwright/queued-task';

/** Waits within the request for the end of a queued task, for clients that know no tasks. */
export async function waitForTask(
  tasks: TaskRunner,
  call: Call,
  begin: () => Promise<TaskRecord>,
): Promise<Outcome> {
  let seen: TaskRecord | undefined;
  const taskId = await call.step(STEP, async () => (seen = await begin()).taskId);
  const over = new AbortController();
  const stop = (): void => {
    over.abort();
  };
  call.signal.addEventListener('abort', stop);
  let failed: { readonly thrown: unknown } | undefined;
  const asked = new Set<string>();
  let reported: unknown;
  try {
    for await (const task of tasks.follow(taskId, over.signal)) {
      if (task === undefined) throw endOfGone(seen, tasks.clock.now());
      seen = task;
      if (isTerminal(task)) {
        call.recorder?.skipRest();
        return outcomeOfTask(task);
      }
      if (task.progress !== undefined && task.progress !== reported) {
        reported = task.progress;
        const { progressToken } = call.meta;
        await call.notify('notifications/progress', { progressToken, ...task.progress });
      }
      for (const [key, question] of Object.entries(task.questions)) {
        if (asked.has(key)) continue;
        asked.add(key);
        forward(tasks, call, taskId, key, question).catch((thrown: unknown) => {
          failed ??= { thrown };
          stop();
        });
      }
    }
  } finally {
    call.signal.removeEventListener('abort', stop);
  }
  if (failed !== undefined) throw failed.thrown;
  await tasks.cancelOwn(taskId);
  throw cancelledError(call.signal);
}

/** Milliseconds by which the time of a store may differ from what this process takes it for. */
const TOLERANCE = 1000;

/** A task that still waited when its time was over has done nothing; of any other that is gone, nobody knows what it did. */
function endOfGone(seen: TaskRecord | undefined, now: number): ToolError {
  const hasWaited = seen?.work?.is === 'queued' && now + TOLERANCE >= endOfLife(seen);
  return hasWaited ? new ToolError('TIMED_OUT', 'Nobody has done the work of this call in time') : lostTask();
}

/** Asks the client what the task asks. @throws what ends this request, but not the task */
async function forward(
  tasks: TaskRunner,
  call: Call,
  taskId: string,
  key: string,
  { method, params }: InputRequest,
): Promise<void> {
  let answer: TaskAnswer;
  try {
    answer = { value: await call.request(method, params, { name: key }) };
  } catch (error) {
    if (isSuspension(error) || call.isCancelled) throw error;
    const message = error instanceof Error ? error.message : `The client gave no answer to ${method}`;
    const isUnreachable = ToolError.is(error) && error.code === 'CLIENT_UNREACHABLE';
    answer = { failure: isUnreachable ? { code: 'CLIENT_UNREACHABLE', message } : { message } };
  }
  await tasks.answerOwn(taskId, { [key]: answer });
}

function outcomeOfTask({ outcome }: TaskRecord): Outcome {
  if (outcome === undefined)
    return resultOf(failureResult({ code: 'CANCELLED', message: 'The call was cancelled' }));
  if (outcome.kind === 'result') return resultOf(brandResult(outcome.result as unknown as CallToolResult));
  const { code, message, data } = outcome.error;
  return failureOf(new ProtocolError(code, message, data));
}
