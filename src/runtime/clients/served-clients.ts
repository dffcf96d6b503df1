import type { ChangeSource, ServedClient } from '../../kernel/call/service-request.ts';
import { taskPortOf } from '../tasks/task-port.ts';

/** The client of a request that stands for itself. */
export const NO_CLIENT: ServedClient = Object.freeze({
  tasks: undefined,
  subscriptions: undefined,
  changes: undefined,
  isLocal: false,
});

/** The client of requests of 2026-07-28 on one connection, which stand for themselves as well. */
export function clientOf2026(changes: ChangeSource): ServedClient {
  return Object.freeze({ ...NO_CLIENT, tasks: taskPortOf('2026'), changes });
}

/** The client that `app.call` is. */
export const LOCAL_CLIENT: ServedClient = Object.freeze({
  ...NO_CLIENT,
  isLocal: true,
});
