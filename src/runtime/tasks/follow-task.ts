import { renewLease, takeAnswers } from './task-changes.ts';
import { isTerminal, LEASE, type TaskRecord, type TaskStatus, type TaskAnswer } from './task-record.ts';
import type { TaskNotifier } from './task-port.ts';
import type { Logger } from '../../call/logger.ts';
import type { TaskSettings } from './task-options.ts';
import type { TaskClock } from './task-store.ts';
import type { TaskRepository } from './task-repository.ts';
import { ToolError } from '../../errors/tool-error.ts';

/** A running task, as its follower sees it. */
interface FollowedTask {
  readonly taskId: string;
  /** Aborted when the task ends without a final record. */
  readonly over: AbortSignal;
  readonly pending: PendingInputs;
  readonly notifier: TaskNotifier;
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
      const message = 'The store of tasks does not answer.';
      logger.log({ level: 'warning', event: 'task.store-failed', message, taskId, cause });
      await new Promise<void>((resolve) => {
        clock.after(settings.pollInterval, resolve);
      });
    }
  }
}

/** @returns false when the task is over */
async function react(
  task: TaskRecord | undefined,
  { repository, clock }: TaskEnvironment,
  { pending, abort }: FollowedTask,
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
  const taken = pending.deliver(task.answers);
  if (taken.length > 0) await repository.change(task.taskId, takeAnswers(taken));
  const now = clock.now();
  if (task.leaseUntil - now <= (LEASE * 2) / 3) await repository.change(task.taskId, renewLease(now + LEASE));
  return true;
}

/** A call that may be a task, for code that waits for its end. */
export interface LiveTask {
  readonly taskId: string;
  /** Resolves when the handler is done and the outcome is stored. */
  readonly ended: Promise<void>;
  /** Aborts the handler, because nobody wants its result. */
  abort(reason: unknown): void;
}

/** The dependencies that the tasks of one application share. */
export interface TaskEnvironment {
  readonly repository: TaskRepository;
  readonly settings: TaskSettings;
  readonly clock: TaskClock;
  readonly logger: Logger;
  /** The name of this process among those that share the store. */
  readonly runner: () => string;
  onStart(task: LiveTask): void;
  /** Called for every call, whether it became a task or not. */
  onEnd(task: LiveTask): void;
}

/** The questions of one task that wait for answers, and the keys it has used. */
export class PendingInputs {
  readonly #waiting = new Map<string, (answer: TaskAnswer) => void>();
  readonly #used = new Set<string>();

  /** A key that is new for this task: clients distinguish its questions by it. */
  keyFor(name: string): string {
    let key = name;
    for (let count = 2; this.#used.has(key); count += 1) key = `${name}-${String(count)}`;
    this.#used.add(key);
    return key;
  }

  /** Waits for the answer under a key. @throws the failure that stands in its place */
  async wait(key: string): Promise<unknown> {
    const answer = await new Promise<TaskAnswer>((resolve) => this.#waiting.set(key, resolve));
    if ('value' in answer) return answer.value;
    const { code, message } = answer.failure;
    throw code === undefined ? new Error(message) : new ToolError(code, message);
  }

  /** Delivers answers. @returns the keys that were waited for */
  deliver(answers: Readonly<Record<string, TaskAnswer>>): readonly string[] {
    return Object.entries(answers).flatMap(([key, answer]) => {
      const resolve = this.#waiting.get(key);
      if (resolve === undefined) return [];
      this.#waiting.delete(key);
      resolve(answer);
      return [key];
    });
  }
}
