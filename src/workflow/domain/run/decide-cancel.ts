import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';

export function decideCancel(changes: RunChanges, { reason }: RunCommandData['cancel']): undefined {
  changes.record('RunCancelled', reason === undefined ? {} : { reason });
}
