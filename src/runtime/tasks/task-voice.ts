import type { CallExchange } from '../../call/call-exchange.ts';
import type { TaskRecord } from './task-record.ts';

/** What a client is told of a task without asking. Nothing of it ever fails. */
export interface TaskVoice extends Pick<CallExchange, 'notify' | 'log'> {
  /** Called when the status has changed. */
  status(task: TaskRecord): Promise<void>;
}

/** Tasks of 2026-07-28 have neither progress nor log messages (extension io.modelcontextprotocol/tasks). */
export const silentVoice: TaskVoice = Object.freeze({
  notify: () => Promise.resolve(),
  log: () => Promise.resolve(),
  status: () => Promise.resolve(),
});
