import { FailureLog } from '../../shared/failure-log.ts';

/** Logs that the store of tasks fails, for one task: the log does not say when it answers again. */
export function taskStoreFailures(taskId: string): FailureLog<'task.store-failed'> {
  return new FailureLog({
    event: 'task.store-failed',
    level: 'warning',
    fails: 'The store of tasks does not answer.',
    facts: (cause) => ({ taskId, cause }),
  });
}
