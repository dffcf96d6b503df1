import { Buffer } from 'node:buffer';
import type { RequestContext } from '../../call/request-context.ts';
import { resultOf } from '../../kernel/call/outcome.ts';
import type { FeatureMethod } from '../../runtime/runtime-facet.ts';
import {
  isTerminal,
  type TaskAnswer,
  type TaskOwner,
  type TaskRecord,
} from '../../runtime/tasks/task-record.ts';
import type { TaskRunner } from './task-runner.ts';
import { stringOf, type Params } from '../../kernel/call/request-params.ts';
import { asProtocolError } from './call-as-task.ts';
import { TASK_METHODS, type TaskPort } from '../../runtime/tasks/task-port.ts';
import {
  checkNameHeader,
  invalidParams,
  knowsTasks,
  methodNotFound,
  missingExtension,
} from '../../runtime/tasks/task-protocol.ts';
import { wireDetailedTask, wireTask2025, related } from '../../runtime/tasks/task-wire.ts';
import { failureResult } from '../../call/result-helpers.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import type { InputRequest } from '../../call/results.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { parseJson, type PlainObject } from '../../shared/json.ts';
import type { TaskPage } from '../../runtime/tasks/task-store.ts';

const PAGE = 100;

/** What a request says of the task that it is about. */
interface TaskQuery {
  readonly params: Params;
  readonly context: RequestContext;
  readonly port: TaskPort;
}

type Answer = (request: TaskQuery) => Promise<object>;

/**
 * The methods of tasks: of the extension io.modelcontextprotocol/tasks of 2026-07-28, and of 2025-11-25
 * (basic/utilities/tasks). Some names are the same, and what they answer differs.
 */
export function taskMethods(tasks: TaskRunner): Readonly<Record<string, FeatureMethod>> {
  const answers = { 2025: answersOf2025(tasks), 2026: answersOf2026(tasks) };
  const methodNamed = (method: string): FeatureMethod => ({
    isUncounted: true,
    answer: async (call) => {
      const { tasks: port } = call.origin.served;
      const known = port && answers[port.protocol][method];
      if (port === undefined || known === undefined) throw methodNotFound('Method not found');
      return resultOf(await asProtocolError(() => known({ params: call.params, context: call, port })));
    },
  });
  const methods = new Set([...TASK_METHODS['2025'], ...TASK_METHODS['2026']]);
  return Object.fromEntries([...methods].map((method) => [method, methodNamed(method)]));
}

function answersOf2026(tasks: TaskRunner): Readonly<Record<string, Answer>> {
  const taskOf = ({ params, context, port }: TaskQuery): readonly [string, TaskOwner] => {
    // SDK v2 also speaks with clients of 2025-11-25, for which there are no tasks here.
    if (context.retry === undefined) throw methodNotFound('Method not found');
    if (!knowsTasks(context)) throw missingExtension();
    const taskId = stringOf(params['taskId'], 'taskId');
    checkNameHeader(context, taskId);
    return [taskId, port.ownerOf(context)];
  };
  return {
    'tasks/get': async (request) => wireDetailedTask(await tasks.find(...taskOf(request))),
    'tasks/update': async (request) => {
      await tasks.answer(...taskOf(request), answersOf(request));
      return {};
    },
    'tasks/cancel': async (request) => {
      await tasks.cancel(...taskOf(request));
      return {};
    },
  };
}

function answersOf2025(tasks: TaskRunner): Readonly<Record<string, Answer>> {
  const taskOf = ({ params, context, port }: TaskQuery): readonly [string, TaskOwner] => [
    stringOf(params['taskId'], 'taskId'),
    port.ownerOf(context),
  ];
  return {
    'tasks/get': async (request) => wireTask2025(await tasks.find(...taskOf(request))),
    'tasks/result': async (request) =>
      taskResult(tasks, taskOf(request), request.context, request.port.asked),
    'tasks/list': async ({ params, context, port }) => {
      const after = positionOf(params['cursor']);
      const subject = port.ownerOf(context);
      // Tasks of nobody in particular are found by their ids only: a list would give everybody those of all others.
      if (subject === undefined) return { tasks: [] };
      const found = await tasks.list(subject, { limit: PAGE + 1, ...(after === undefined ? {} : { after }) });
      const page = found.slice(0, PAGE);
      return { tasks: page.map(wireTask2025), ...(found.length > PAGE ? cursorAfter(page) : {}) };
    },
    'tasks/cancel': async (request) => {
      const [taskId, subject] = taskOf(request);
      const before = await tasks.find(taskId, subject);
      const task = isTerminal(before) ? before : await tasks.cancel(taskId, subject);
      if (before === task || task.status !== 'cancelled') {
        throw invalidParams(`Cannot cancel the task: it is ${task.status} already`);
      }
      return wireTask2025(task);
    },
  };
}

function answersOf({ context: { retry } }: TaskQuery): Readonly<Record<string, TaskAnswer>> {
  const responses = Object.entries(retry?.inputResponses ?? {});
  return Object.fromEntries(responses.map(([key, value]) => [key, { value }]));
}

/**
 * Waits for the end of a task and gives what the call would have given. In the meantime its questions are sent
 * along with this request, which a client makes for that purpose
 * (spec 2025-11-25: basic/utilities/tasks, Input Required Status).
 *
 * @param asked questions that are being asked on this connection, so that nobody is asked twice at the same time
 */
export async function taskResult(
  tasks: TaskRunner,
  [taskId, subject]: readonly [string, TaskOwner],
  context: RequestContext,
  asked: Set<string>,
): Promise<PlainObject> {
  const ask = async (key: string, question: InputRequest): Promise<void> => {
    const name = `${taskId} ${key}`;
    if (asked.has(name)) return;
    asked.add(name);
    try {
      const answer = await answerTo(question, taskId, context);
      if (answer !== undefined) await tasks.answer(taskId, subject, { [key]: answer });
    } finally {
      asked.delete(name);
    }
  };
  for await (const task of tasks.watch(taskId, subject, context.signal)) {
    if (isTerminal(task)) return endResult(task);
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
  context: RequestContext,
): Promise<TaskAnswer | undefined> {
  try {
    return { value: await context.request(method, related(params, taskId)) };
  } catch (error) {
    if (context.signal.aborted) return undefined;
    const message = error instanceof Error ? error.message : `The client gave no answer to ${method}`;
    const isUnreachable = ToolError.is(error) && error.code === 'CLIENT_UNREACHABLE';
    return { failure: isUnreachable ? { code: 'CLIENT_UNREACHABLE', message } : { message } };
  }
}

function endResult({ taskId, outcome }: TaskRecord): PlainObject {
  if (outcome === undefined) {
    const cancelled = failureResult({ code: 'CANCELLED', message: 'The call was cancelled' });
    return related({ ...cancelled }, taskId);
  }
  if (outcome.kind === 'result') return related(outcome.result, taskId);
  const { code, message, data } = outcome.error;
  throw new ProtocolError(code, message, data);
}

type Position = NonNullable<TaskPage['after']>;

/** A cursor is the place of the last task of a page. Tasks change all the time, so it cannot hold on to the list. */
function cursorAfter(page: readonly Position[]): { readonly nextCursor?: string } {
  const last = page.at(-1);
  if (last === undefined) return {};
  const { createdAt, taskId } = last;
  return { nextCursor: Buffer.from(JSON.stringify([createdAt, taskId])).toString('base64url') };
}

/** @throws ProtocolError for an invalid cursor. A forged cursor shows only the client's own tasks. */
function positionOf(cursor: unknown): Position | undefined {
  if (cursor === undefined) return undefined;
  const position =
    typeof cursor === 'string' ? parseJson(Buffer.from(cursor, 'base64url').toString()) : undefined;
  if (!Array.isArray(position) || position.length !== 2) throw invalidCursor();
  const [createdAt, taskId] = position as readonly unknown[];
  if (typeof createdAt !== 'number' || typeof taskId !== 'string') throw invalidCursor();
  return { createdAt, taskId };
}

function invalidCursor(): Error {
  return invalidParams('Invalid cursor: start again without a cursor');
}
