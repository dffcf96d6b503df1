import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call } from '../call.ts';
import type { Outcome } from '../outcome.ts';
import type { RunningTask } from './running-task.ts';
import type { TaskRecord } from './task-record.ts';
import type { Tasks } from './tasks.ts';
import { planTask, type TaskAgreement, type TaskCall, type TaskPlan } from './plan-task.ts';
import type { TaskPort } from './task-port.ts';
import { knowsTasks } from './task-protocol.ts';
import { wireTask, wireTask2025 } from './task-wire.ts';

/** Runs a call as what its action and its client agree on: as it is, or as a task that the answer names. */
export function callAsTask(
  tasks: Tasks,
  call: Call,
  facts: TaskCall,
  work: () => MaybePromise<Outcome>,
): MaybePromise<Outcome> {
  const { tasks: port, isLocal } = call.origin.client;
  if (isLocal) return work();
  if (facts.mode === undefined) call.refuseTask();
  const { task: requested } = call.params;
  // Most calls: nothing of the client has to be known.
  if (facts.mode === undefined && (requested === undefined || port?.protocol !== '2025')) return work();
  const plan = planTask(facts, agreementOf(port, call, requested));
  if (plan.kind === 'refuse') throw plan.error;
  return plan.kind === 'call' || port === undefined ? work() : runAsTask(tasks, port, plan, call, work);
}

async function runAsTask(
  tasks: Tasks,
  port: TaskPort,
  plan: TaskPlan,
  call: Call,
  work: () => MaybePromise<Outcome>,
): Promise<Outcome> {
  const running = tasks.begin({
    call,
    subject: port.subjectOf(call),
    ttl: plan.kind === 'task' ? plan.ttl : undefined,
    voice: (taskId) => port.voiceOf(call, taskId),
    asksAgain: port.protocol === '2026',
    answer: (task) => created(task, port),
  });
  if (plan.kind === 'task') await startAtOnce(running);
  return running.run(work);
}

function created(task: TaskRecord, { protocol }: TaskPort): object {
  return protocol === '2025' ? { task: wireTask2025(task) } : { resultType: 'task', ...wireTask(task) };
}

function agreementOf(port: TaskPort | undefined, call: Call, requested: unknown): TaskAgreement {
  if (port?.protocol === '2025') return { protocol: '2025', requested };
  if (port === undefined || call.retry === undefined) return { protocol: 'none' };
  return { protocol: '2026', isKnown: knowsTasks(call) };
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
