import type { TaskEnvironment } from './follow-task.ts';
import { taskStoreFailures } from '../../runtime/tasks/task-protocol.ts';
import type { TaskClock } from '../../runtime/tasks/task-store.ts';

/**
 * Asks a store of tasks until it answers: what runs or waits goes on while its store is away for a while.
 * @param until milliseconds since the epoch, after which it rejects as the store does
 */
export async function askPatiently<Answer>(
  { clock, settings, logger }: Pick<TaskEnvironment, 'clock' | 'settings' | 'logger'>,
  { taskId, until }: { readonly taskId: string; readonly until: number },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const failures = taskStoreFailures(taskId);
  for (;;) {
    try {
      return await ask();
    } catch (cause) {
      failures.failed(cause, logger);
      if (clock.now() >= until) throw cause;
      await waitFor(clock, settings.pollInterval);
    }
  }
}

/** Resolves after a time, or as soon as the signal is aborted. */
export function waitFor(clock: TaskClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stop();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const stop = clock.after(milliseconds, end);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
