import { withoutUndefined } from '../../../shared/json.ts';
import {
  type RunEventType,
  type RunStatus,
  loopWarning,
  dueOf,
  expiryOf,
  type RunState,
  refOf,
  isTerminal,
  type RunEvent,
} from '../../domain/run/run-state.ts';
import type { ValidationDetail } from '../../domain/validation/output-validator.ts';
import { ownSteps, type WorkflowDefinition, findStep } from '../../domain/document/workflow-document.ts';
import { asOf } from '../../domain/run/decide-confirmation.ts';
import type { RunSummary } from '../ports/run-store.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { signToken } from './run-token.ts';
import { loadRun, isVisible, checkRunId, readSnapshot, runNotFound } from './load-run.ts';
import { promptOf } from '../../domain/guidance/next-step.ts';
import { conditionScope, needsConfirmation } from '../../domain/run/advance.ts';
import { isWorkflowError } from '../../domain/errors/workflow-error.ts';
import {
  checkInteger,
  checkOptionalText,
  MOST_RUNS,
  type ResumeRequest,
  type RunCaller,
} from './run-requests.ts';
import { isNextEvent, foldEvents } from '../../domain/run/evolve.ts';

/** The members that views and status reports share. */
export interface RunReport {
  /** The id of the run. */
  readonly runId: string;
  /** The id of the workflow. */
  readonly workflowId: string;
  /** The hash of the definition that the run follows. */
  readonly definitionHash: string;
  /** The seq of the last event. */
  readonly seq: number;
  /** What the run is doing, or how it ended. */
  readonly status: RunStatus;
  /** How many steps are finished. */
  readonly progress: RunProgress;
  /** Why a step is still open: one sentence for each fault of the last output; empty while nothing is wrong. */
  readonly issues: readonly string[];
  /** The faults with their codes and places. */
  readonly details: readonly ValidationDetail[];
  /** What to change. */
  readonly suggestions: readonly string[];
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

/** A run as its caller sees it: its status and the one next step, never a later one. */
export interface RunView extends RunReport {
  /** Signed; names the run and its seq. Pass it back to answer this view. */
  readonly token: string;
  /** The open step; null if there is none. */
  readonly step: RunStepView | null;
  /** Attempts left for the current step; 0 without one. */
  readonly attemptsLeft: number;
  /** The latest notes, up to 50 and 16 KiB; the last note is always included. */
  readonly notes: readonly string[];
  /** Such as loops that ended early, or older notes that are not shown. */
  readonly warnings: readonly string[];
}

/** The open step of a run, as its view shows it. */
export interface RunStepView {
  /** The id of the step. */
  readonly id: string;
  /** The title of the step. */
  readonly title: string;
  /** Preceded by role, guidance and loop. */
  readonly prompt: string;
  /** Whether the agent should ask the user for files. */
  readonly askForFiles: boolean;
  /** Whether a user has to confirm the step. */
  readonly requireConfirmation: boolean;
  /** The number of the iteration, from 1; left out outside of a loop. */
  readonly iteration?: number;
}

/** How many steps of a run are finished. */
export interface RunProgress {
  /** Steps that were completed. */
  readonly completed: number;
  /** Steps that were skipped, because their condition did not hold. */
  readonly skipped: number;
  /** The top-level steps of the workflow, without those that run only in a loop. */
  readonly total: number;
}

/** The result of workflow_status: the history of a run, without prompts. */
export interface RunStatusView extends RunReport {
  /** What the run is to achieve. */
  readonly goal?: string;
  /** The latest 500 events, in order. */
  readonly history: readonly RunHistoryEntry[];
  /** How many earlier events the history leaves out. */
  readonly omitted: number;
}

/** One event of a run, as its status shows it. */
export interface RunHistoryEntry {
  /** The seq of the event. */
  readonly seq: number;
  /** When it happened: ISO 8601, in UTC. */
  readonly at: string;
  /** What happened. */
  readonly type: RunEventType;
  /** Who caused it: `agent`, `user` or `system`, with the id of a user: `user:ann`. */
  readonly actor: string;
  /** The step that it is about. */
  readonly stepId?: string;
  /** The number of the iteration, from 1; left out outside of a loop. */
  readonly iteration?: number;
  /** Why the step was skipped, the loop ended, or the run was cancelled. */
  readonly reason?: string;
}

/** The view of a recorded state, as time has left it. */
export async function viewOf(
  dependencies: RunDependencies,
  runId: string,
  recorded: RunState,
  definition: WorkflowDefinition,
): Promise<RunView> {
  const { keys, limits } = dependencies;
  const [key] = await keys.all();
  const state = stateNow(dependencies, recorded, definition);
  const { seq, current, notes, olderNotes } = state;
  const omitted = `NOTES_OMITTED: older notes that are kept and not shown: ${olderNotes}.`;
  return {
    ...reportOf(runId, state, definition),
    token: signToken(key, { runId, seq }),
    step: stepView(state, definition),
    attemptsLeft: current === null ? 0 : Math.max(0, limits.attempts - current.attempts),
    notes: [...notes],
    warnings: [...state.warnings.map(loopWarning), ...(olderNotes === 0 ? [] : [omitted])],
  };
}

/** The view of a run as it is. @throws WorkflowError as {@link loadRun} does */
export async function viewNow(dependencies: RunDependencies, runId: string): Promise<RunView> {
  const { state, definition } = await loadRun(dependencies, runId);
  return viewOf(dependencies, runId, state, definition);
}

/** The part that views and status reports share. */
function reportOf(runId: string, state: RunState, definition: WorkflowDefinition): RunReport {
  const { workflowId, definitionHash, seq, status, completed, skipped, blocked } = state;
  const { issues = [], details = [], suggestions = [] } = blocked ?? {};
  return {
    runId,
    workflowId,
    definitionHash,
    seq,
    status,
    progress: { completed, skipped, total: ownSteps(definition).length },
    issues,
    details,
    suggestions,
    expiresAt: new Date(expiryOf(state)).toISOString(),
  };
}

/** Its `expiresAt` is the next expiry, of a confirmation or of the run. */
export function summaryOfRun(runId: string, state: RunState): RunSummary {
  const { tenant, principal, workflowId, definitionHash, goal, status, seq, createdAt, updatedAt } = state;
  const members = { tenant, principal, workflowId, definitionHash, goal, status, seq, createdAt, updatedAt };
  return { runId, ...withoutUndefined(members), expiresAt: new Date(dueOf(state)).toISOString() };
}

/** Applies the expiry of a confirmation, or of the run, since the last event. */
export function stateNow(
  { clock, limits }: RunDependencies,
  recorded: RunState,
  definition: WorkflowDefinition,
): RunState {
  return asOf(recorded, { at: new Date(clock()).toISOString(), definition, limits });
}

/** The open step as the caller sees it. A loop that awaits confirmation has no prompt, only its title. */
function stepView(state: RunState, definition: WorkflowDefinition): RunStepView | null {
  const { current, loop, confirmation } = state;
  const step = current === null ? undefined : findStep(definition, current.stepId);
  if (current === null || step === undefined) return null;
  const { iteration } = refOf(current);
  const position =
    iteration === undefined ? undefined : { iteration, ...withoutUndefined({ total: loop?.total }) };
  return {
    id: step.id,
    title: step.title,
    prompt: step.type === 'loop' ? step.title : promptOf(step, position),
    askForFiles: step.type === 'loop' ? false : (step.askForFiles ?? false),
    requireConfirmation: confirmation !== null || needsConfirmation(step, conditionScope(state, definition)),
    ...withoutUndefined({ iteration }),
  };
}

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
      // Several rules may have failed in the same way; the issues of the report name each
      return [...new Set(event.data.details.map(({ code }) => code))].join(', ');
    case 'ConfirmationResolved':
      return event.data.approved ? 'approved' : 'rejected';
    default:
      return undefined;
  }
}
