import { withoutUndefined } from '../../../shared/json.ts';
import { isWorkflowError } from '../../domain/errors/workflow-error.ts';
import { isTerminal, type RunEvent } from '../../domain/run/run-state.ts';
import type { RunSummary } from '../ports/run-store.ts';
import {
  checkInteger,
  checkOptionalText,
  MOST_RUNS,
  type ResumeRequest,
  type RunCaller,
} from './run-requests.ts';
import { isVisible, loadRun, checkRunId, readSnapshot, runNotFound } from './load-run.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { reportOf, stateNow, summaryOfRun, type RunHistoryEntry, type RunStatusView } from './run-view.ts';
import { isNextEvent, foldEvents } from '../../domain/run/evolve.ts';

const LONGEST_QUERY = 2000;

/** The caller's own runs, most recently changed first. */
export async function searchRuns(
  dependencies: RunDependencies,
  caller: RunCaller,
  request: ResumeRequest,
): Promise<readonly RunSummary[]> {
  const { store } = dependencies;
  if (request.runId !== undefined) {
    const summary = await store.getSummary(checkRunId(request.runId));
    return summary !== null && isVisible(summary, caller) ? [await summaryNow(dependencies, summary)] : [];
  }
  const query = checkOptionalText('query', request.query, { max: LONGEST_QUERY });
  const limit = checkInteger('limit', request.limit ?? MOST_RUNS, 1, MOST_RUNS);
  const { tenant, principal } = caller;
  const text = query === '' ? undefined : query;
  const { runs } = await store.find({ tenant, principal, limit, ...withoutUndefined({ text }) });
  return Promise.all(runs.map((run) => summaryNow(dependencies, run)));
}

/** Reads the state only if the run is overdue. */
async function summaryNow(dependencies: RunDependencies, summary: RunSummary): Promise<RunSummary> {
  const { runId, status, expiresAt } = summary;
  if (isTerminal(status) || dependencies.clock() < Date.parse(expiresAt)) return summary;
  try {
    const { state, definition } = await loadRun(dependencies, runId);
    return summaryOfRun(runId, stateNow(dependencies, state, definition));
  } catch (error) {
    // A run that cannot be continued does not expire either; it is listed as recorded
    if (isWorkflowError(error) && error.code === 'STATE_ERROR') return summary;
    throw error;
  }
}

const MOST_ENTRIES = 500;

/**
 * The history of a run. A run with inconsistent events can still be inspected: its state is the one before the first
 * inconsistent event.
 */
export async function statusOf(dependencies: RunDependencies, runId: string): Promise<RunStatusView> {
  const { store, definitions } = dependencies;
  const snapshot = readSnapshot(await store.getSnapshot(runId));
  const known = snapshot?.seq ?? 0;
  const last = (await store.getSummary(runId))?.seq ?? 0;
  const events = await store.load(runId, Math.max(1, 1 + Math.min(known, last - MOST_ENTRIES)));
  const recorded = foldEvents(readableEvents(events, known), snapshot);
  if (recorded === null) throw runNotFound(runId);
  const definition = await definitions.get(recorded.definitionHash);
  const state = stateNow(dependencies, recorded, definition);
  const latest = events.slice(-MOST_ENTRIES);
  return {
    ...reportOf(runId, state, definition),
    ...withoutUndefined({ goal: state.goal }),
    history: latest.map(historyEntry),
    omitted: (latest[0]?.seq ?? 1) - 1,
  };
}

/** The events that continue the known ones without a gap, up to the first that does not. */
function readableEvents(events: readonly RunEvent[], known: number): readonly RunEvent[] {
  const later = events.filter(({ seq }) => seq > known);
  const fault = later.findIndex((event, index) => !isNextEvent(known + index, event));
  return fault === -1 ? later : later.slice(0, fault);
}

/** An event as the history shows it: without prompts, outputs or context. */
function historyEntry(event: RunEvent): RunHistoryEntry {
  const { seq, at, type, actor } = event;
  const { stepId, iteration } = event.data as { readonly stepId?: string; readonly iteration?: number };
  const { kind, id } = actor;
  const place = withoutUndefined({ stepId, iteration, reason: reasonOf(event) });
  return { seq, at, type, actor: id === undefined ? kind : `${kind}:${id}`, ...place };
}

function reasonOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'StepSkipped':
    case 'LoopEnded':
    case 'RunCancelled':
      return event.data.reason;
    case 'StepBlocked':
      return event.data.details.map(({ code }) => code).join(', ');
    case 'ConfirmationResolved':
      return event.data.approved ? 'approved' : 'rejected';
    default:
      return undefined;
  }
}
