import { parseJson, withoutUndefined } from '../../../shared/json.ts';
import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { foldEvents } from '../../domain/run/evolve.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { RunSummary, RunSnapshot } from '../ports/run-store.ts';
import { type RunCaller, type ViewRef, checkSeq, checkText, invalid } from './run-requests.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { readToken } from './run-token.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { Rejection } from '../../domain/run/run-command.ts';
import type { RunView } from './run-view.ts';

export interface LoadedRun {
  readonly state: RunState;
  readonly definition: WorkflowDefinition;
  /** Of the snapshot it was loaded from; 0 without one. */
  readonly snapshotSeq: number;
}

/**
 * @throws WorkflowError `RUN_NOT_FOUND`, or `STATE_ERROR` for a run whose events do not add up.
 */
export async function loadRun({ store, definitions }: RunDependencies, runId: string): Promise<LoadedRun> {
  const snapshot = readSnapshot(await store.getSnapshot(runId));
  const snapshotSeq = snapshot?.seq ?? 0;
  const state = foldEvents(await store.load(runId, snapshotSeq + 1), snapshot);
  if (state === null) throw runNotFound(runId);
  return { state, definition: await definitions.get(state.definitionHash), snapshotSeq };
}

/** Makes sure that the caller may know of the run. @throws WorkflowError `RUN_NOT_FOUND` */
export async function checkVisible(
  { store }: RunDependencies,
  runId: string,
  caller: RunCaller,
): Promise<void> {
  const summary = await store.getSummary(runId);
  if (summary === null || !isVisible(summary, caller)) throw runNotFound(runId);
}

export function isVisible({ tenant, principal }: RunSummary, caller: RunCaller): boolean {
  return tenant === caller.tenant && principal === caller.principal;
}

/** Rises whenever the state gets another form; what has another one is as good as lost. */
const FORMAT = 3;

export function snapshotOf(state: RunState): RunSnapshot {
  return { seq: state.seq, state: JSON.stringify({ format: FORMAT, state }) };
}

/** The state of a snapshot, or null where it has to be made from the events. */
export function readSnapshot(snapshot: RunSnapshot | null): RunState | null {
  if (snapshot === null) return null;
  // One that cannot be read counts as missing
  const kept = parseJson(snapshot.state) as
    { readonly format?: number; readonly state?: RunState } | null | undefined;
  return kept?.format === FORMAT && kept.state?.seq === snapshot.seq ? kept.state : null;
}

/** Which view of which run is meant. */
interface KnownView {
  readonly runId: string;
  readonly expectedSeq: number;
}

const LONGEST = 1000;

/**
 * Reads the token, or the run and its seq, of a request.
 *
 * @throws WorkflowError `INVALID_TOKEN`, `RUN_NOT_FOUND`, or `INVALID_PARAMS` where both are missing.
 */
export async function readViewRef(
  dependencies: RunDependencies,
  caller: RunCaller,
  ref: ViewRef,
): Promise<KnownView> {
  if (ref.token !== undefined) return readTokenRef(dependencies, caller, ref, ref.token);
  if (ref.runId === undefined || ref.expectedSeq === undefined)
    throw invalid(
      'token',
      'It is missing, and so is the runId with its expectedSeq that could stand in for it.',
    );
  const runId = checkRunId(ref.runId);
  const expectedSeq = checkSeq(ref.expectedSeq);
  await checkVisible(dependencies, runId, caller);
  return { runId, expectedSeq };
}

export function checkRunId(runId: unknown): string {
  return checkText('runId', runId, { min: 1, max: LONGEST });
}

async function readTokenRef(
  { store, keys }: RunDependencies,
  caller: RunCaller,
  ref: ViewRef,
  token: string,
): Promise<KnownView> {
  if (typeof (token as unknown) !== 'string') throw invalid('token', 'It is not a string.');
  const claims = token.length > LONGEST ? undefined : readToken(await keys.all(), token);
  if (claims === undefined) throw invalidToken();
  const { runId, seq } = claims;
  if (ref.runId !== undefined && ref.runId !== runId) throw invalidToken();
  if (ref.expectedSeq !== undefined && ref.expectedSeq !== seq)
    throw invalid('expectedSeq', 'The token is of another seq.');
  const summary = await store.getSummary(runId);
  if (summary === null) throw runNotFound(runId);
  if (!isVisible(summary, caller)) throw invalidToken();
  return { runId, expectedSeq: seq };
}

/** The error of a command that was refused. */
export function refusedError(
  runId: string,
  { code, message, details, suggestions }: Rejection,
  view?: RunView,
): WorkflowError {
  return new WorkflowError(code, {
    where: `run "${runId}"`,
    message,
    details: { runId, ...details },
    ...withoutUndefined({ suggestions, disclosed: view && { view } }),
  });
}

/** The same for a run that is not there and for one that the caller may not see. */
export function runNotFound(runId: string): WorkflowError {
  return refusedError(runId, { code: 'RUN_NOT_FOUND', message: `The run "${runId}" does not exist.` });
}

/** Says nothing of the token, and nothing of what it should have been. */
function invalidToken(): WorkflowError {
  return new WorkflowError('INVALID_TOKEN', {
    where: 'the token',
    message: 'The token is not one that this caller was given for this run.',
  });
}

export function keyMismatch(key: string): WorkflowError {
  return new WorkflowError('IDEMPOTENCY_MISMATCH', {
    where: 'idempotencyKey',
    message: `"${key}" was used for another request.`,
    details: { idempotencyKey: key },
  });
}

/** Too many others changed the run at the same time. */
export function contended(runId: string): WorkflowError {
  return refusedError(runId, {
    code: 'STORAGE_ERROR',
    message: 'The run changed again and again while it was to be changed.',
    details: { operation: 'append', cause: 'CONTENTION' },
  });
}
