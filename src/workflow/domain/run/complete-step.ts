import type { WorkflowContext } from '../conditions/condition.ts';
import { advance } from './advance.ts';
import { hasMembers } from './merge-context.ts';
import type { RunChanges } from './run-changes.ts';
import { refOf } from './run-state.ts';

/** Settles the open step, keeps the context that came with it, and goes on. */
export function completeStep(changes: RunChanges, context: WorkflowContext | undefined | null): void {
  const { current, loop } = changes.state;
  // A loop that was asked about is not done by the answer: its iterations follow
  const isLoop = loop !== null && current?.stepId === loop.stepId;
  if (current !== null && !isLoop) changes.record('StepCompleted', refOf(current));
  if (hasMembers(context)) changes.record('ContextMerged', { context });
  advance(changes);
}
