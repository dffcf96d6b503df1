import type { CallExchange } from '../../call/call-exchange.ts';
import type { Call, Methods } from '../call.ts';
import { resultOf, type Outcome } from '../outcome.ts';
import { isTerminal, type TaskAnswer } from './task-record.ts';
import type { Subject } from './task-record.ts';
import type { Tasks } from './tasks.ts';
import { stringOf, type Params } from '../methods/request-params.ts';
import { cursorAfter, positionOf } from './task-cursor.ts';
import type { TaskPort } from './task-port.ts';
import {
  checkNameHeader,
  invalidParams,
  knowsTasks,
  methodNotFound,
  missingExtension,
} from './task-protocol.ts';
import { taskResult } from './task-result.ts';
import { wireDetailedTask, wireTask2025 } from './task-wire.ts';

const PAGE = 100;

/** What a request says of the task that it is about. */
interface TaskRequest {
  readonly params: Params;
  readonly exchange: CallExchange;
  readonly port: TaskPort;
}

type Answer = (request: TaskRequest) => Promise<object>;

/**
 * The methods of tasks: of the extension io.modelcontextprotocol/tasks of 2026-07-28, and of 2025-11-25
 * (basic/utilities/tasks). Some names are the same, and what they answer differs.
 */
export function taskMethods(tasks: Tasks): Methods {
  const answers = { 2025: answersOf2025(tasks), 2026: answersOf2026(tasks) };
  const answer =
    (method: string) =>
    async (call: Call): Promise<Outcome> => {
      const { tasks: port } = call.origin.client;
      const known = port && answers[port.protocol][method];
      if (port === undefined || known === undefined) throw methodNotFound('Method not found');
      return resultOf(await known({ params: call.params, exchange: call, port }));
    };
  const methods = new Set([...TASK_METHODS['2025'], ...TASK_METHODS['2026']]);
  return Object.fromEntries([...methods].map((method) => [method, answer(method)]));
}

/** The names of the methods. */
export const TASK_METHODS: Readonly<Record<TaskPort['protocol'], readonly string[]>> = {
  '2025': ['tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
  '2026': ['tasks/get', 'tasks/update', 'tasks/cancel'],
};

function answersOf2026(tasks: Tasks): Readonly<Record<string, Answer>> {
  const taskOf = ({ params, exchange, port }: TaskRequest): readonly [string, Subject] => {
    // SDK v2 also speaks with clients of 2025-11-25, for which there are no tasks here.
    if (exchange.retry === undefined) throw methodNotFound('Method not found');
    if (!knowsTasks(exchange)) throw missingExtension();
    const taskId = stringOf(params['taskId'], 'taskId');
    checkNameHeader(exchange, taskId);
    return [taskId, port.subjectOf(exchange)];
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

function answersOf2025(tasks: Tasks): Readonly<Record<string, Answer>> {
  const taskOf = ({ params, exchange, port }: TaskRequest): readonly [string, Subject] => [
    stringOf(params['taskId'], 'taskId'),
    port.subjectOf(exchange),
  ];
  return {
    'tasks/get': async (request) => wireTask2025(await tasks.find(...taskOf(request))),
    'tasks/result': async (request) =>
      taskResult(tasks, taskOf(request), request.exchange, request.port.asked),
    'tasks/list': async ({ params, exchange, port }) => {
      const after = positionOf(params['cursor']);
      const subject = port.subjectOf(exchange);
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

function answersOf({ exchange: { retry } }: TaskRequest): Readonly<Record<string, TaskAnswer>> {
  const responses = Object.entries(retry?.inputResponses ?? {});
  return Object.fromEntries(responses.map(([key, value]) => [key, { value }]));
}
