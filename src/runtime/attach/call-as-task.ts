import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { ServedClient } from '../call.ts';
import { failureOf, resultOf, type Outcome } from '../outcome.ts';
import { protocolErrorOf } from '../protocol-answers.ts';
import type { RunningTask, TaskWork } from '../tasks/running-task.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { planTask, type TaskAgreement, type TaskCall, type TaskPlan } from './plan-task.ts';
import type { TaskPort } from './task-port.ts';
import { knowsTasks } from './task-protocol.ts';
import { wireTask, wireTask2025 } from './task-wire.ts';

/** A call, and what its params say of a task. */
export interface AugmentedCall extends TaskCall {
  readonly requested: unknown;
}

/** Runs a call as what its action and its client agree on: as it is, or as a task that the answer names. */
export function callAsTask(
  tasks: Tasks,
  { tasks: port, isLocal }: ServedClient,
  call: AugmentedCall,
  exchange: CallExchange,
  work: TaskWork,
): MaybePromise<Outcome> {
  if (isLocal) return thenMaybe(work(exchange, unchanged), outcomeOf);
  // Most calls: nothing of the client has to be known.
  if (call.mode === undefined && (call.requested === undefined || port?.protocol !== '2025')) {
    return thenMaybe(work(exchange, withoutTask), outcomeOf);
  }
  const plan = planTask(call, agreementOf(port, exchange, call.requested));
  if (plan.kind === 'refuse') throw plan.error;
  if (plan.kind !== 'call' && port !== undefined) return runAsTask(tasks, port, plan, exchange, work);
  const enter = call.mode === undefined ? withoutTask : unchanged;
  return thenMaybe(work(exchange, enter), outcomeOf);
}

async function runAsTask(
  tasks: Tasks,
  port: TaskPort,
  plan: TaskPlan,
  exchange: CallExchange,
  work: TaskWork,
): Promise<Outcome> {
  const running = tasks.begin({
    exchange,
    subject: port.subjectOf(exchange),
    ttl: plan.kind === 'task' ? plan.ttl : undefined,
    voice: (taskId) => port.voiceOf(exchange, taskId),
    asksAgain: port.protocol === '2026',
  });
  if (plan.kind === 'task') await startAtOnce(running);
  const earlyAnswer = running.started.then((task) => created(task, port));
  const answer = await running.run((inner, enter) => work(deriveExchange(inner, { earlyAnswer }), enter));
  if (answer.kind === 'result') return outcomeOf(answer.result);
  return { kind: 'accepted', value: created(answer.task, port), ended: running.ended };
}

function outcomeOf(result: object): Outcome {
  const error = protocolErrorOf(result);
  return error === undefined ? resultOf(result) : failureOf(error, result as CallToolResult);
}

function unchanged(exchange: CallExchange): CallExchange {
  return exchange;
}

function withoutTask(exchange: CallExchange): CallExchange {
  return deriveExchange(exchange, WITHOUT_TASK);
}

function created(task: TaskRecord, { protocol }: TaskPort): object {
  return protocol === '2025' ? { task: wireTask2025(task) } : { resultType: 'task', ...wireTask(task) };
}

function agreementOf(port: TaskPort | undefined, exchange: CallExchange, requested: unknown): TaskAgreement {
  if (port?.protocol === '2025') return { protocol: '2025', requested };
  if (port === undefined || exchange.retry === undefined) return { protocol: 'none' };
  return { protocol: '2026', isKnown: knowsTasks(exchange) };
}

/** Where a task is due, a result with `isError` would be no answer. */
async function startAtOnce(running: RunningTask): Promise<void> {
  try {
    await running.start();
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { code, message, facts } = error;
    throw new ProtocolError(INTERNAL_ERROR, message, { code, suggestion: facts.suggestion });
  }
}

const WITHOUT_TASK: Partial<CallExchange> = Object.freeze({ startTask: undeclared });

function undeclared(): Promise<never> {
  const error = new ToolwrightError('TW_TASK_UNDECLARED', {
    where: 'startTask()',
    what: 'was called by an action that does not become a task.',
    why: 'clients are told beforehand which tools have tasks.',
    fix: "@Action({ task: 'on-demand' })",
  });
  return Promise.reject(error);
}
