import type { CallExchange } from '../../call/call-exchange.ts';
import { failureResult } from '../../call/failure-result.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { InputRequest } from '../../call/results.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { PlainObject } from '../../shared/json.ts';
import { isTerminal, type Subject, type TaskAnswer, type TaskRecord } from './task-record.ts';
import { related } from './task-wire.ts';
import type { Tasks } from './tasks.ts';

/**
 * Waits for the end of a task and gives what the call would have given. In the meantime its questions are sent
 * along with this request, which a client makes for that purpose
 * (spec 2025-11-25: basic/utilities/tasks, Input Required Status).
 *
 * @param asked questions that are being asked on this connection, so that nobody is asked twice at the same time
 */
export async function taskResult(
  tasks: Tasks,
  [taskId, subject]: readonly [string, Subject],
  exchange: CallExchange,
  asked: Set<string>,
): Promise<PlainObject> {
  const ask = async (key: string, question: InputRequest): Promise<void> => {
    const name = `${taskId} ${key}`;
    if (asked.has(name)) return;
    asked.add(name);
    try {
      const answer = await answerTo(question, taskId, exchange);
      if (answer !== undefined) await tasks.answer(taskId, subject, { [key]: answer });
    } finally {
      asked.delete(name);
    }
  };
  for await (const task of tasks.watch(taskId, subject, exchange.signal)) {
    if (isTerminal(task)) return resultOf(task);
    for (const [key, question] of Object.entries(task.questions)) {
      // A task that is gone by now needs no answer.
      ask(key, question).catch(() => undefined);
    }
  }
  // No failure of the server: the client went away.
  throw new ProtocolError(INTERNAL_ERROR, 'The call was cancelled', { code: 'CANCELLED' });
}

/** Undefined when it was this request that ended: the next one asks again. */
async function answerTo(
  { method, params }: InputRequest,
  taskId: string,
  exchange: CallExchange,
): Promise<TaskAnswer | undefined> {
  try {
    return { value: await exchange.request(method, related(params, taskId)) };
  } catch (error) {
    if (exchange.signal.aborted) return undefined;
    const message = error instanceof Error ? error.message : `The client gave no answer to ${method}`;
    const isUnreachable = ToolError.is(error) && error.code === 'CLIENT_UNREACHABLE';
    return { failure: isUnreachable ? { code: 'CLIENT_UNREACHABLE', message } : { message } };
  }
}

function resultOf({ taskId, outcome }: TaskRecord): PlainObject {
  if (outcome === undefined) {
    const cancelled = failureResult({ code: 'CANCELLED', message: 'The call was cancelled' });
    return related({ ...cancelled }, taskId);
  }
  if (outcome.kind === 'result') return related(outcome.result, taskId);
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, data);
}
