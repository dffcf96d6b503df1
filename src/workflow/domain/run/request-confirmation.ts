import type { RunChanges } from './run-changes.ts';
import type { StepRef } from './run-event.ts';

/** Has the run wait for a user. */
export function requestConfirmation(changes: RunChanges, step: StepRef): void {
  const expiresAt = new Date(Date.parse(changes.at) + changes.limits.confirmationTtl).toISOString();
  changes.record('ConfirmationRequested', { ...step, expiresAt });
}
