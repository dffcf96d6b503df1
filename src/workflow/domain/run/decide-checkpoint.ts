import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';

/** Notes change nothing else, so they are taken while a user is waited for as well. */
export function decideCheckpoint(changes: RunChanges, { notes }: RunCommandData['checkpoint']): undefined {
  changes.record('Checkpointed', { notes });
}
