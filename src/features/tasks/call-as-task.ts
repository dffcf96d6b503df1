import { INTERNAL_ERROR, ProtocolError } from '../../call/protocol-error.ts';
import { ToolError } from '../../errors/tool-error.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle } from '../../kernel/call/call.ts';
import { failureOf, withoutChallenge, type Outcome } from '../../kernel/call/outcome.ts';
import type { CompileStage } from '../../runtime/routes/route.ts';
import { waitForTask } from './hand-over.ts';
import { acceptCall } from './queued-call.ts';
import { readTaskOutcome } from './running-task.ts';
import type { TaskRecord } from '../../runtime/tasks/task-record.ts';
import type { TaskRunner } from './task-runner.ts';
import type { TaskPort } from '../../runtime/tasks/task-port.ts';
import {
  knowsTasks,
  invalidParams,
  methodNotFound,
  missingExtension,
} from '../../runtime/tasks/task-protocol.ts';
import { wireTask, wireTask2025 } from '../../runtime/tasks/task-wire.ts';
import type { TaskMode, TaskSupport } from '../../call/action-options.ts';
import { isObject } from '../../shared/json.ts';

/** Runs a call as what its action and its client agree on: as it is, or as a task that the answer names. */
export const compileTask: CompileStage = (target, { states: { tasks } }) => {
  const { kind, task: mode, taskSupport: support } = target;
  if (kind !== 'action' || tasks === undefined) return undefined;
  const queue = tasks.isShared ? target.queue : undefined;
  return (next) => (call) => {
    const { tasks: port, isLocal } = call.origin.served;
    const { task: requested, name } = call.params;
    if (queue === undefined && (isLocal || (mode === undefined && port?.protocol !== '2025')))
      return next(call);
    // A caller in the same process waits for the result, whatever the action's `task` says
    const agreement = isLocal ? NO_AGREEMENT : findAgreement(port, call, requested);
    const plan = planTask({ tool: String(name), mode, support }, agreement);
    if (plan.kind === 'refuse') return failureOf(plan.error);
    if (queue !== undefined) return runOnQueue(tasks, { queue, port, plan }, call, next);
    return plan.kind === 'call' || port === undefined
      ? next(call)
      : runAsTask(tasks, port, plan, call, () => next(call));
  };
};

async function runAsTask(
  tasks: TaskRunner,
  port: TaskPort,
  plan: TaskPlan,
  call: Call,
  work: () => MaybePromise<Outcome>,
): Promise<Outcome> {
  const running = tasks.begin({
    call,
    subject: port.ownerOf(call),
    ttl: plan.kind === 'task' ? plan.ttl : undefined,
    notifier: (taskId) => port.notifierOf(call, taskId),
    asksAgain: port.protocol === '2026',
    answer: (task) => created(task, port),
  });
  if (plan.kind === 'task') await asProtocolError(() => running.start());
  const { observation } = call;
  return running.run(observation === undefined ? work : () => observation.run(work));
}

const NO_AGREEMENT: TaskAgreement = Object.freeze({ protocol: 'none' });

interface QueuedPlan {
  readonly queue: string;
  readonly port: TaskPort | undefined;
  readonly plan: TaskPlan;
}

/** The arguments are checked here; wrong ones are not worth a place on a queue. */
function runOnQueue(
  tasks: TaskRunner,
  { queue, port, plan }: QueuedPlan,
  call: Call,
  next: Handle,
): MaybePromise<Outcome> {
  const ttl = plan.kind === 'task' ? plan.ttl : undefined;
  const terms = { subject: port?.ownerOf(call), ttl };
  const begin = (version: string | undefined): Promise<TaskRecord> =>
    tasks.enqueue(queue, acceptCall(call, version, port?.protocol), terms);
  if (plan.kind !== 'task' || port === undefined) {
    call.handOver = (version) => {
      const waiting = waitForTask(tasks, call, () => begin(version));
      return call.limit?.outside(waiting) ?? waiting;
    };
    return next(call);
  }
  const accepted = (task: TaskRecord): Outcome => ({
    kind: 'accepted',
    value: created(task, port),
    ended: Promise.resolve(),
  });
  call.handOver = async (version) => accepted(await begin(version));
  const answered = next(call);
  if (port.protocol === '2026') return answered;
  // Its client has asked for a task, and expects nothing else
  return Promise.resolve(answered).then(async (outcome) => {
    if (outcome.kind === 'accepted') return outcome;
    const ended = readTaskOutcome(withoutChallenge(outcome, call.origin));
    return accepted(await asProtocolError(() => tasks.putDown(ended, terms)));
  });
}

function created(task: TaskRecord, { protocol }: TaskPort): object {
  return protocol === '2025' ? { task: wireTask2025(task) } : { resultType: 'task', ...wireTask(task) };
}

function findAgreement(port: TaskPort | undefined, call: Call, requested: unknown): TaskAgreement {
  if (port?.protocol === '2025') return { protocol: '2025', requested };
  if (port === undefined || call.retry === undefined) return { protocol: 'none' };
  return { protocol: '2026', isKnown: knowsTasks(call) };
}

/** Where a task is due, a result with `isError` would be no answer. */
export async function asProtocolError<Value>(start: () => Promise<Value>): Promise<Value> {
  try {
    return await start();
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { code, message, facts } = error;
    const { suggestion, retryAfter } = facts;
    throw new ProtocolError(INTERNAL_ERROR, message, { code, suggestion, retryAfter });
  }
}

/** What is known of a call before it runs. */
interface TaskCandidate {
  readonly tool: string;
  /** What the called action says; undefined where it has none, or where there is no such action. */
  readonly mode: TaskMode | undefined;
  /** What the list says of the tool; undefined where no call of it may be a task. */
  readonly support: TaskSupport | undefined;
}

/** How tasks are agreed on: by extension since 2026-07-28, call by call in 2025-11-25, or not at all. */
export type TaskAgreement =
  | { readonly protocol: '2026'; readonly isKnown: boolean }
  | { readonly protocol: '2025'; readonly requested: unknown }
  | { readonly protocol: 'none' };

/** What to do with a call: run it as it is, make it a task at once, or let its handler decide. */
export type TaskPlan =
  | { readonly kind: 'call' }
  | { readonly kind: 'task'; readonly ttl: number | undefined }
  | { readonly kind: 'on-demand' }
  | { readonly kind: 'refuse'; readonly error: ProtocolError };

const CALL: TaskPlan = Object.freeze({ kind: 'call' });

export function planTask(call: TaskCandidate, agreement: TaskAgreement): TaskPlan {
  if (agreement.protocol === '2026') return planByServer(call, agreement.isKnown);
  if (agreement.protocol === '2025' && agreement.requested !== undefined) {
    return planByClient(call, agreement.requested);
  }
  // Spec 2025-11-25: basic/utilities/tasks, Tool-Level Negotiation.
  return call.mode === 'required'
    ? refuse(methodNotFound(`${call.tool} can only be called as a task`))
    : CALL;
}

/** Since 2026-07-28 the server decides, for every client that knows tasks. */
function planByServer({ mode }: TaskCandidate, isKnown: boolean): TaskPlan {
  if (mode === undefined) return CALL;
  if (!isKnown) return mode === 'required' ? refuse(missingExtension()) : CALL;
  return mode === 'on-demand' ? { kind: 'on-demand' } : { kind: 'task', ttl: undefined };
}

/** In 2025-11-25 the client decides, tool by tool: a tool with one action for it lets any be a task. */
function planByClient({ tool, support }: TaskCandidate, requested: unknown): TaskPlan {
  if (support === undefined) return refuse(methodNotFound(`${tool} cannot be called as a task`));
  if (!isObject(requested)) {
    return refuse(invalidParams('task must be an object'));
  }
  const { ttl } = requested as { readonly ttl?: unknown };
  if (ttl === undefined || ttl === null) return { kind: 'task', ttl: undefined };
  if (typeof ttl === 'number' && ttl > 0) return { kind: 'task', ttl: Math.ceil(ttl) };
  return refuse(invalidParams('task.ttl must be a number of milliseconds above 0'));
}

function refuse(error: ProtocolError): TaskPlan {
  return { kind: 'refuse', error };
}
