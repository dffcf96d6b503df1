import type { CallExchange } from '../../call/call-exchange.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { isTerminal, type TaskAnswer } from '../tasks/task-record.ts';
import { refuseDetached, type AttachScope, type Methods } from './answer-request.ts';
import { stringOf, type Params } from './request-params.ts';
import {
  checkNameHeader,
  invalidParams,
  knowsTasks,
  methodNotFound,
  missingExtension,
} from './task-protocol.ts';
import { cursorAfter, positionOf } from './task-cursor.ts';
import { taskResult } from './task-result.ts';
import { subjectOf } from './task-subject.ts';
import { wireDetailedTask, wireTask2025 } from './task-wire.ts';

const PAGE = 100;

/** The methods of the extension io.modelcontextprotocol/tasks of 2026-07-28. */
export function taskMethods(scope: AttachScope, tasks: Tasks): Methods {
  const taskOf = (params: Params, exchange: CallExchange): readonly [string, string | undefined] => {
    refuseDetached(scope, 'Tasks');
    // SDK v2 also speaks with clients of 2025-11-25, for which there are no tasks here.
    if (exchange.retry === undefined) throw methodNotFound('Method not found');
    if (!knowsTasks(exchange)) throw missingExtension();
    const taskId = stringOf(params['taskId'], 'taskId');
    checkNameHeader(exchange, taskId);
    return [taskId, subjectOf(scope.target, exchange)];
  };
  return {
    'tasks/get': async (params, exchange) => wireDetailedTask(await tasks.find(...taskOf(params, exchange))),
    'tasks/update': async (params, exchange) => {
      const task = taskOf(params, exchange);
      await tasks.answer(...task, answersOf(exchange));
      return {};
    },
    'tasks/cancel': async (params, exchange) => {
      await tasks.cancel(...taskOf(params, exchange));
      return {};
    },
  };
}

/** The methods of 2025-11-25 (basic/utilities/tasks). */
export function taskMethods2025(scope: AttachScope, tasks: Tasks): Methods {
  const { target } = scope;
  const taskOf = (params: Params, exchange: CallExchange): readonly [string, string | undefined] => {
    refuseDetached(scope, 'Tasks');
    return [stringOf(params['taskId'], 'taskId'), subjectOf(target, exchange)];
  };
  const askedHere = new Set<string>();
  return {
    'tasks/get': async (params, exchange) => wireTask2025(await tasks.find(...taskOf(params, exchange))),
    'tasks/result': (params, exchange) => taskResult(tasks, taskOf(params, exchange), exchange, askedHere),
    'tasks/list': async ({ cursor }, exchange) => {
      refuseDetached(scope, 'Tasks');
      const after = positionOf(cursor);
      const subject = subjectOf(target, exchange);
      // Tasks of nobody in particular are found by their ids only: a list would give everybody those of all others.
      if (subject === undefined) return { tasks: [] };
      const found = await tasks.list(subject, { limit: PAGE + 1, ...(after === undefined ? {} : { after }) });
      const page = found.slice(0, PAGE);
      return { tasks: page.map(wireTask2025), ...(found.length > PAGE ? cursorAfter(page) : {}) };
    },
    'tasks/cancel': async (params, exchange) => {
      const [taskId, subject] = taskOf(params, exchange);
      const before = await tasks.find(taskId, subject);
      const task = isTerminal(before) ? before : await tasks.cancel(taskId, subject);
      if (before === task || task.status !== 'cancelled') {
        throw invalidParams(`Cannot cancel the task: it is ${task.status} already`);
      }
      return wireTask2025(task);
    },
  };
}

function answersOf({ retry }: CallExchange): Readonly<Record<string, TaskAnswer>> {
  const responses = Object.entries(retry?.inputResponses ?? {});
  return Object.fromEntries(responses.map(([key, value]) => [key, { value }]));
}
