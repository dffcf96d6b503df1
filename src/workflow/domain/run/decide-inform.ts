import { hasMembers, refuseContext } from './merge-context.ts';
import { refuseClosedStep } from './refuse-change.ts';
import type { Rejection } from './rejection.ts';
import type { RunChanges } from './run-changes.ts';
import type { RunCommandData } from './run-command.ts';

/**
 * Keeps context that came without an output. Telling what is known is no attempt at the step: it stays open as it is,
 * and what was skipped stays skipped. Conditions that are still to be tested see the new context.
 */
export function decideInform(
  changes: RunChanges,
  { context }: RunCommandData['inform'],
): Rejection | undefined {
  const { state, limits } = changes;
  const rejection = refuseClosedStep(state) ?? refuseContext(state.context, context, limits);
  if (rejection === undefined && hasMembers(context)) changes.record('ContextMerged', { context });
  return rejection;
}
