import type { Logger } from '../../call/logger.ts';
import type { TaskClock } from './task-clock.ts';
import type { TaskLedger } from './task-ledger.ts';
import type { TaskSettings } from './task-options.ts';

/** A call, as those see it that wait for its end. */
export interface LiveTask {
  readonly taskId: string;
  /** Resolves when the handler is done and the outcome is stored. */
  readonly ended: Promise<void>;
  /** Tells the handler that nobody wants its result. */
  abort(reason: unknown): void;
}

/** What the tasks of one application share. */
export interface TaskSurroundings {
  readonly ledger: TaskLedger;
  readonly settings: TaskSettings;
  readonly clock: TaskClock;
  readonly logger: Logger;
  /** The name of this process among those that share the store. */
  readonly runner: string;
  onStart(task: LiveTask): void;
  /** Called for every call, whether it became a task or not. */
  onEnd(task: LiveTask): void;
}
