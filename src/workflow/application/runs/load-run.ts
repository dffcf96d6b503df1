import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { foldEvents } from '../../domain/run/evolve.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../ports/run-store.ts';
import type { RunCaller } from './run-caller.ts';
import { runNotFound } from './run-errors.ts';
import type { RunParts } from './run-parts.ts';
import { readSnapshot } from './run-snapshot.ts';

export interface LoadedRun {
  readonly state: RunState;
  readonly definition: WorkflowDefinition;
  /** Of the snapshot it was loaded from; 0 without one. */
  readonly snapshotSeq: number;
}

/**
 * @throws WorkflowError `RUN_NOT_FOUND`, or `STATE_ERROR` for a run whose events do not add up.
 */
export async function loadRun({ store, definitions }: RunParts, runId: string): Promise<LoadedRun> {
  const snapshot = readSnapshot(await store.getSnapshot(runId));
  const snapshotSeq = snapshot?.seq ?? 0;
  const state = foldEvents(await store.load(runId, snapshotSeq + 1), snapshot);
  if (state === null) throw runNotFound(runId);
  return { state, definition: await definitions.get(state.definitionHash), snapshotSeq };
}

/** Makes sure that the caller may know of the run. @throws WorkflowError `RUN_NOT_FOUND` */
export async function checkVisible({ store }: RunParts, runId: string, caller: RunCaller): Promise<void> {
  const summary = await store.getSummary(runId);
  if (summary === null || !isVisible(summary, caller)) throw runNotFound(runId);
}

export function isVisible({ tenant, principal }: RunSummary, caller: RunCaller): boolean {
  return tenant === caller.tenant && principal === caller.principal;
}
