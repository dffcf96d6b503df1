import type { CallExchange } from '../../call/call-exchange.ts';
import type { Eventual } from '../../call/eventual.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';
import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { RunningTask, TaskWork } from '../tasks/running-task.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import { silentVoice } from '../tasks/task-voice.ts';
import type { AttachScope } from './answer-request.ts';
import { planTask, type TaskAgreement, type TaskCall, type TaskPlan } from './plan-task.ts';
import type { TaskDoor } from './task-door.ts';
import { knowsTasks } from './task-protocol.ts';
import { subjectOf } from './task-subject.ts';
import { wireTask, wireTask2025 } from './task-wire.ts';
import { voiceOf } from './voice-of-2025.ts';

/** A call, and what its params say of a task. */
export interface AugmentedCall extends TaskCall {
  readonly requested: unknown;
}

/** Runs a call as what its action and its client agree on: as it is, or as a task that the answer tells of. */
export function callAsTask(
  scope: AttachScope,
  door: TaskDoor | undefined,
  call: AugmentedCall,
  exchange: CallExchange,
  work: TaskWork,
): Eventual<object> {
  const plan = planTask(call, agreementOf(door, exchange, call.requested));
  if (plan.kind === 'refuse') throw plan.error;
  if (plan.kind !== 'call' && door !== undefined) return runAsTask(scope, door, plan, exchange, work);
  return work(exchange, (inner) => (call.mode === undefined ? deriveExchange(inner, WITHOUT_TASK) : inner));
}

async function runAsTask(
  scope: AttachScope,
  door: TaskDoor,
  plan: TaskPlan,
  exchange: CallExchange,
  work: TaskWork,
): Promise<object> {
  const running = door.tasks.begin({
    exchange,
    subject: subjectOf(scope.target, exchange),
    ttl: plan.kind === 'task' ? plan.ttl : undefined,
    voice: (taskId) => (door.protocol === '2025' ? voiceOf(scope.target, exchange, taskId) : silentVoice),
    asksAgain: door.protocol === '2026',
  });
  if (plan.kind === 'task') await startAtOnce(running);
  const earlyAnswer = running.started.then((task) => created(task, door));
  const answer = await running.run((inner, enter) => work(deriveExchange(inner, { earlyAnswer }), enter));
  return answer.kind === 'result' ? answer.result : created(answer.task, door);
}

function created(task: TaskRecord, { protocol }: TaskDoor): object {
  return protocol === '2025' ? { task: wireTask2025(task) } : { resultType: 'task', ...wireTask(task) };
}

function agreementOf(door: TaskDoor | undefined, exchange: CallExchange, requested: unknown): TaskAgreement {
  if (door?.protocol === '2025') return { protocol: '2025', requested };
  if (door === undefined || exchange.retry === undefined) return { protocol: 'none' };
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
