import { workflowCodes } from '../errors/workflow-codes.ts';
import type { RunChanges } from './run-changes.ts';
import type { Actor, StepRef } from './run-event.ts';

/** Keeps a step open for want of a confirmation; no rule of it failed. */
export function blockStep(
  changes: RunChanges,
  step: StepRef,
  code: 'CONFIRMATION_REJECTED' | 'CONFIRMATION_EXPIRED',
  message: string,
  actor?: Actor,
): void {
  const blocking = {
    issues: [message],
    details: [{ code, path: '', message }],
    suggestions: [workflowCodes[code].fix],
  };
  changes.record('StepBlocked', { ...step, ...blocking }, actor);
}
