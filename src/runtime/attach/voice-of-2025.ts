import type { CallExchange } from '../../call/call-exchange.ts';
import { silentVoice, type TaskVoice } from '../tasks/task-voice.ts';
import { sendQuietly } from './exchange-members.ts';
import type { ServerTarget } from './server-target.ts';
import { related, wireTask2025 } from './task-wire.ts';

/**
 * What a client of 2025-11-25 hears of a task. It belongs to no request any more, because that is answered,
 * so it goes over the connection, or nowhere where every request has one of its own.
 */
export function voiceOf(target: ServerTarget, exchange: CallExchange, taskId: string): TaskVoice {
  return {
    ...silentVoice,
    notify: (method, params) =>
      sendQuietly(() => target.notification?.({ method, params: related(params, taskId) })),
    log: (level, data, logger) => {
      const params = { level, data, ...(logger === undefined ? {} : { logger }) };
      return sendQuietly(() => target.sendLoggingMessage?.(related(params, taskId), exchange.sessionId));
    },
    status: (task) =>
      sendQuietly(() =>
        target.notification?.({ method: 'notifications/tasks/status', params: wireTask2025(task) }),
      ),
  };
}
