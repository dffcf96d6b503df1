import { renewLease, takeAnswers } from './task-changes.ts';
import type { TaskInbox } from './task-inbox.ts';
import { isTerminal, LEASE, type TaskRecord, type TaskStatus } from './task-record.ts';
import type { TaskSurroundings } from './task-surroundings.ts';
import type { TaskVoice } from './task-voice.ts';

/** The side of a running task that hears what others do to it. */
export interface FollowedTask {
  readonly taskId: string;
  /** Aborted when the task ends without a final record. */
  readonly over: AbortSignal;
  readonly inbox: TaskInbox;
  readonly voice: TaskVoice;
  readonly abort: (reason: unknown) => void;
}

/** Hands out answers, tells the client, keeps the lease, and stops the handler of a task that ended elsewhere. */
export async function followTask(around: TaskSurroundings, followed: FollowedTask): Promise<void> {
  const { ledger, settings, clock, logger } = around;
  const { taskId, over } = followed;
  let told: TaskStatus = 'working';
  while (!over.aborted) {
    try {
      for await (const task of ledger.watch(taskId, over)) {
        if (task !== undefined && task.status !== told) {
          told = task.status;
          await followed.voice.status(task);
        }
        if (!(await hear(task, around, followed))) return;
      }
    } catch (cause) {
      const message = 'The store of tasks does not answer.';
      logger.log({ level: 'warning', event: 'task.store-failed', message, taskId, cause });
      await new Promise<void>((resolve) => {
        clock.after(settings.pollInterval, resolve);
      });
    }
  }
}

/** @returns false when the task is over */
async function hear(
  task: TaskRecord | undefined,
  { ledger, clock }: TaskSurroundings,
  { inbox, abort }: FollowedTask,
): Promise<boolean> {
  if (task === undefined) {
    abort(new Error('The task has expired'));
    return false;
  }
  if (isTerminal(task)) {
    // What is completed was completed by the handler itself.
    if (task.status !== 'completed') abort(new Error('The task was cancelled'));
    return false;
  }
  const taken = inbox.deliver(task.answers);
  if (taken.length > 0) await ledger.change(task.taskId, takeAnswers(taken));
  const now = clock.now();
  if (task.leaseUntil - now <= (LEASE * 2) / 3) await ledger.change(task.taskId, renewLease(now + LEASE));
  return true;
}
