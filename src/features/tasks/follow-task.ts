import { isHeldBy, renewLease, type TaskChange } from './task-changes.ts';
import { isTerminal, type TaskRecord, type TaskStatus } from '../../runtime/tasks/task-record.ts';
import type { PendingInputs } from './task-questions.ts';
import type { TaskNotifier } from '../../runtime/tasks/task-port.ts';
import type { Logger } from '../../call/logger.ts';
import type { TaskSettings } from '../../runtime/tasks/task-options.ts';
import type { StoreClock } from '../../runtime/store/store-clock.ts';
import type { TaskRepository } from './task-repository.ts';
import { taskStoreFailures } from '../../runtime/tasks/task-protocol.ts';

/** A running task, as its follower sees it. */
interface FollowedTask {
  readonly taskId: string;
  /** Aborted when the task ends without a final record. */
  readonly over: AbortSignal;
  readonly pending: PendingInputs;
  readonly notifier: TaskNotifier;
  /** The number of the worker that runs it; undefined for a task that runs where it was called. */
  readonly fence?: number | undefined;
  /** @returns the task afterwards; undefined when it is gone */
  readonly change: (change: TaskChange) => Promise<TaskRecord | undefined>;
  /** Puts down which answers of the task the handler has. */
  readonly take: (task: TaskRecord, keys: readonly string[]) => TaskChange;
  readonly abort: (reason: unknown) => void;
}

/** Delivers answers, notifies the client, renews the lease, and stops the handler of a task that ended elsewhere. */
export async function followTask(environment: TaskEnvironment, followed: FollowedTask): Promise<void> {
  const { repository, settings, clock, logger } = environment;
  const { taskId, over } = followed;
  let reported: TaskStatus = 'working';
  while (!over.aborted) {
    try {
      for await (const task of repository.watch(taskId, over)) {
        if (task !== undefined && task.status !== reported) {
          reported = task.status;
          await followed.notifier.status(task);
        }
        if (!(await react(task, environment, followed))) return;
      }
    } catch (cause) {
      taskStoreFailures(taskId).failed(cause, logger);
      await new Promise<void>((resolve) => {
        clock.after(settings.pollInterval, resolve);
      });
    }
  }
}

/** @returns false when the task is over */
async function react(
  task: TaskRecord | undefined,
  { clock, settings: { lease } }: TaskEnvironment,
  { pending, abort, fence, change, take }: FollowedTask,
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
  if (!isHeldBy(task, fence)) {
    abort(new Error('Another process has taken the task over'));
    return false;
  }
  const taken = pending.deliver(task.answers);
  if (taken.length > 0) await change(take(task, taken));
  if (task.leaseUntil - clock.now() <= (lease * 2) / 3) await change(renewLease((await clock.ask()) + lease));
  return true;
}

/** A call that may be a task, for code that waits for its end. */
export interface LiveTask {
  readonly taskId: string;
  /** Resolves when the handler is done and the outcome is stored. */
  readonly ended: Promise<void>;
  /** Aborts the handler, because nobody wants its result. */
  abort(reason: unknown): void;
  /** Puts down that this process does not go on with it. */
  leave(): Promise<unknown>;
}

/** The dependencies that the tasks of one application share. */
export interface TaskEnvironment {
  readonly repository: TaskRepository;
  readonly settings: TaskSettings;
  readonly clock: StoreClock;
  readonly logger: Logger;
  /** The name of this process among those that share the store. */
  readonly runner: () => string;
  onStart(task: LiveTask): void;
  /** Called for every call, whether it became a task or not. */
  onEnd(task: LiveTask): void;
}
