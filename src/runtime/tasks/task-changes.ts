import type { InputRequest } from '../../call/results.ts';
import { isTerminal, type TaskAnswer, type TaskOutcome, type TaskRecord } from './task-record.ts';

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

type Ending = Pick<TaskRecord, 'status' | 'outcome' | 'statusMessage' | 'lastUpdatedAt'>;

function ended(task: TaskRecord, ending: Partial<Ending>): TaskRecord {
  return { ...task, ...ending, questions: {}, answers: {} };
}
