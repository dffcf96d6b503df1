import { ownSteps } from '../../domain/document/steps-of.ts';
import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { loopWarning } from '../../domain/run/loop-warning.ts';
import { expiryOf, type RunState } from '../../domain/run/run-state.ts';
import type { RunParts } from './run-parts.ts';
import { signToken } from './run-token.ts';
import type { RunProgress, RunView } from './run-view.ts';
import { stepView } from './step-view.ts';

/** Where a run stands. */
export async function viewOf(
  { keys, limits }: RunParts,
  runId: string,
  state: RunState,
  definition: WorkflowDefinition,
): Promise<RunView> {
  const [key] = await keys.all();
  const { seq, status, current, blocked, workflowId, definitionHash } = state;
  return {
    runId,
    token: signToken(key, { runId, seq }),
    workflowId,
    definitionHash,
    seq,
    status,
    step: stepView(state, definition),
    progress: progressOf(state, definition),
    issues: blocked?.issues ?? [],
    details: blocked?.details ?? [],
    suggestions: blocked?.suggestions ?? [],
    attemptsLeft: current === null ? 0 : Math.max(0, limits.maxAttempts - current.attempts),
    notes: [...state.notes],
    warnings: [...state.warnings.map(loopWarning), ...noteWarnings(state)],
    expiresAt: expiryText(state),
  };
}

function noteWarnings({ olderNotes }: RunState): readonly string[] {
  return olderNotes === 0 ? [] : [`NOTES_OMITTED: older notes that are kept and not shown: ${olderNotes}.`];
}

export function progressOf({ completed, skipped }: RunState, definition: WorkflowDefinition): RunProgress {
  return { completed, skipped, total: ownSteps(definition).length };
}

export function expiryText(state: RunState): string {
  return new Date(expiryOf(state)).toISOString();
}
