import type { CallExchange } from '../../call/call-exchange.ts';
import type { TaskVoice } from '../tasks/task-voice.ts';
import type { Subject } from '../tasks/task-record.ts';

/** How a connection serves tasks. They are agreed on in two ways, of which each connection has one. */
export interface TaskPort {
  /** By extension since 2026-07-28, call by call in 2025-11-25. */
  readonly protocol: '2025' | '2026';
  /** Whose tasks a request may see. */
  subjectOf(exchange: CallExchange): Subject;
  /** What tells the client of a task that has begun. */
  voiceOf(exchange: CallExchange, taskId: string): TaskVoice;
  /** Questions that are being asked on this connection, so that nobody is asked twice at the same time. */
  readonly asked: Set<string>;
}
