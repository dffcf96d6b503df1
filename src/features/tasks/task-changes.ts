import { failureResult } from '../../call/result-helpers.ts';
import type { InputRequest } from '../../call/results.ts';
import type { PlainObject } from '../../shared/json.ts';
import type { TaskEntry, TaskWork } from '../../runtime/tasks/task-record.ts';
import { RUNNER_GONE } from '../../runtime/tasks/task-protocol.ts';
import {
  isTerminal,
  type TaskAnswer,
  type TaskOutcome,
  type TaskRecord,
} from '../../runtime/tasks/task-record.ts';

/** Gives the record after a change, or undefined when there is nothing to change. */
export type TaskChange = (task: TaskRecord) => TaskRecord | undefined;

// What is final stays as it is (spec 2025-11-25: basic/utilities/tasks, Task Status Lifecycle).
const unlessTerminal =
  (change: TaskChange): TaskChange =>
  (task) =>
    isTerminal(task) ? undefined : change(task);

export function askInput(key: string, request: InputRequest, now: number): TaskChange {
  return unlessTerminal((task) => ({
    ...task,
    status: 'input_required',
    lastUpdatedAt: now,
    questions: { ...task.questions, [key]: request },
  }));
}

/** Answers to nothing that was asked are ignored; the task works on when every question has its answer. */
export function answerInput(given: Readonly<Record<string, TaskAnswer>>, now: number): TaskChange {
  return unlessTerminal((task) => {
    const entries = Object.entries(given).filter(([key]) => Object.hasOwn(task.questions, key));
    if (entries.length === 0) return undefined;
    const answered = new Set(entries.map(([key]) => key));
    const open = Object.entries(task.questions).filter(([key]) => !answered.has(key));
    return {
      ...task,
      status: open.length === 0 ? 'working' : 'input_required',
      lastUpdatedAt: now,
      questions: Object.fromEntries(open),
      answers: { ...task.answers, ...Object.fromEntries(entries) },
    };
  });
}

/** Forgets answers that the handler has heard. */
export function takeAnswers(keys: readonly string[]): TaskChange {
  return unlessTerminal((task) => {
    const left = Object.entries(task.answers).filter(([key]) => !keys.includes(key));
    if (left.length === Object.keys(task.answers).length) return undefined;
    return { ...task, answers: Object.fromEntries(left) };
  });
}

export function reportStatus(statusMessage: string, now: number): TaskChange {
  return unlessTerminal((task) =>
    task.statusMessage === statusMessage ? undefined : { ...task, statusMessage, lastUpdatedAt: now },
  );
}

export function finishTask(outcome: TaskOutcome, now: number): TaskChange {
  return unlessTerminal((task) =>
    outcome.kind === 'result'
      ? ended(task, { status: 'completed', outcome, lastUpdatedAt: now })
      : ended(task, { status: 'failed', outcome, statusMessage: outcome.error.message, lastUpdatedAt: now }),
  );
}

export function cancelTask(statusMessage: string, now: number): TaskChange {
  return unlessTerminal((task) => ended(task, { status: 'cancelled', statusMessage, lastUpdatedAt: now }));
}

export function renewLease(leaseUntil: number): TaskChange {
  return unlessTerminal((task) => ({ ...task, leaseUntil }));
}

/** A change by who has the task: of a worker that is late, undefined. */
export function whileHeld(fence: number | undefined, change: TaskChange): TaskChange {
  return (task) => (isHeldBy(task, fence) ? change(task) : undefined);
}

export function isHeldBy({ work }: TaskRecord, fence: number | undefined): boolean {
  return work?.fence === fence && work?.is !== 'queued';
}

/** A worker takes the task, unless another one has it. Undefined, too, for a form of records that it does not know. */
export function takeWork(runner: string, now: number, lease: number): TaskChange {
  return unlessTerminal((task) => {
    const { work, v } = task;
    if (work === undefined || ![1, 2].includes(v)) return undefined;
    if (work.is !== 'queued' && now <= task.leaseUntil) return undefined;
    if (work.is === 'begun') return leaveWork(now)(task);
    const taken: TaskWork = { ...work, is: 'taken', fence: work.fence + 1 };
    return { ...task, work: taken, runner, leaseUntil: now + lease };
  });
}

export function markWork(is: 'begun' | 'stepwise'): TaskChange {
  return unlessTerminal((task) => task.work && { ...task, work: { ...task.work, is } });
}

/** What becomes of a task whose process does not go on with it: another one does, or nobody knows how it ended. */
export function leaveWork(now: number): TaskChange {
  return unlessTerminal((task) => {
    const { work, call } = task;
    if (work === undefined) return finishTask({ kind: 'error', error: RUNNER_GONE }, now)(task);
    if (work.is !== 'begun')
      return { ...task, work: { ...work, is: 'queued', queuedAt: now }, leaseUntil: 0 };
    const outcome = { kind: 'result', result: unknownOutcome(String(call?.params['name'])) } as const;
    return finishTask(outcome, now)(task);
  });
}

/** Adds to what a worker knows that goes on with the task. */
export function addToJournal(entries: readonly TaskEntry[], change: TaskChange = same): TaskChange {
  return unlessTerminal((task) => {
    const changed = change(task) ?? task;
    return { ...changed, journal: [...(changed.journal ?? []), ...entries] };
  });
}

export function reportProgress(message: string, progress: PlainObject, now: number): TaskChange {
  return unlessTerminal((task) => ({ ...task, statusMessage: message, progress, lastUpdatedAt: now }));
}

const same: TaskChange = (task) => task;

function unknownOutcome(tool: string): PlainObject {
  const message =
    'The process that ran this call stopped in the middle, and nobody knows what the call has done';
  const suggestion = 'find out what it has done before you call again';
  const headline = `[${tool}] ${message}; it was not run again`;
  return { ...failureResult({ code: 'OUTCOME_UNKNOWN', message, headline, tool, suggestion }) };
}

type Ending = Pick<TaskRecord, 'status' | 'outcome' | 'statusMessage' | 'lastUpdatedAt'>;

function ended(task: TaskRecord, ending: Partial<Ending>): TaskRecord {
  return { ...task, ...ending, questions: {}, answers: {} };
}
