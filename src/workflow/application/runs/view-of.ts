import { ownSteps, type WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { asOf } from '../../domain/run/decide-confirmation.ts';
import { loopWarning, expiryOf, type RunState } from '../../domain/run/run-state.ts';
import type { RunParts } from './run-parts.ts';
import { signToken } from './run-token.ts';
import type { RunProgress, RunRepairs, RunView } from './run-view.ts';
import { stepView } from './step-view.ts';

/** Where a run stands now. */
export async function viewOf(
  parts: RunParts,
  runId: string,
  recorded: RunState,
  definition: WorkflowDefinition,
): Promise<RunView> {
  const { keys, limits } = parts;
  const [key] = await keys.all();
  const state = stateNow(parts, recorded, definition);
  const { seq, status, current, workflowId, definitionHash } = state;
  return {
    runId,
    token: signToken(key, { runId, seq }),
    workflowId,
    definitionHash,
    seq,
    status,
    step: stepView(state, definition),
    progress: progressOf(state, definition),
    ...repairsOf(state),
    attemptsLeft: current === null ? 0 : Math.max(0, limits.maxAttempts - current.attempts),
    notes: [...state.notes],
    warnings: [...state.warnings.map(loopWarning), ...noteWarnings(state)],
    expiresAt: expiryText(state),
  };
}

/** A confirmation, or the run itself, may have expired since the last event. */
export function stateNow(
  { clock, limits }: RunParts,
  recorded: RunState,
  definition: WorkflowDefinition,
): RunState {
  return asOf(recorded, { at: new Date(clock()).toISOString(), definition, limits });
}

/** Why the step is still open, and what to do about it. */
export function repairsOf({ blocked }: RunState): RunRepairs {
  const { issues = [], details = [], suggestions = [] } = blocked ?? {};
  return { issues, details, suggestions };
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
