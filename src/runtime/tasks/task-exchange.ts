import type { CallExchange } from '../../call/call-exchange.ts';
import { deriveExchange } from '../../call/derive-exchange.ts';

/** What a started task has of its own, because the request that it came from is answered. */
export type TaskMembers = Pick<CallExchange, 'request' | 'notify' | 'log'> &
  Required<Pick<CallExchange, 'startTask' | 'report'>>;

/** The exchange of a call that may become a task: the request's own until then, the task's afterwards. */
export function taskExchange(
  before: CallExchange,
  after: TaskMembers,
  isStarted: () => boolean,
): CallExchange {
  const { startTask, report } = after;
  const now = (): Pick<CallExchange, 'request' | 'notify' | 'log'> => (isStarted() ? after : before);
  return deriveExchange(before, {
    startTask,
    report,
    request: (method, params, options) => now().request(method, params, options),
    notify: (method, params) => now().notify(method, params),
    log: (level, data, logger) => now().log(level, data, logger),
  });
}
