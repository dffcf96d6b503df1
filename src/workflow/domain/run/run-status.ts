export type RunStatus = 'running' | 'blocked' | 'awaiting_confirmation' | TerminalStatus;

/** Nothing happens to such a run any more. */
export type TerminalStatus = 'completed' | 'cancelled' | 'expired';

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return status === 'completed' || status === 'cancelled' || status === 'expired';
}
