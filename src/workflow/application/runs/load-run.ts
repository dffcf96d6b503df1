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

export interface LoadedRun {
  readonly state: RunState;
  readonly definition: WorkflowDefinition;
  /** The seq of the snapshot it was loaded from; 0 without a snapshot. */
  readonly snapshotSeq: number;
}

/**
 * @throws WorkflowError `RUN_NOT_FOUND`, or `STATE_ERROR` for a run with inconsistent events.
 */
export async function loadRun({ store, definitions }: RunDependencies, runId: string): Promise<LoadedRun> {
  const snapshot = readSnapshot(await store.getSnapshot(runId));
  const snapshotSeq = snapshot?.seq ?? 0;
  const state = foldEvents(await store.load(runId, snapshotSeq + 1), snapshot);
  if (state === null) throw runNotFound(runId);
  return { state, definition: await definitions.get(state.definitionHash), snapshotSeq };
}

/** Checks that the caller may see the run. @throws WorkflowError `RUN_NOT_FOUND` */
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

/** Raised whenever the format of the state changes; snapshots of another format are ignored. */
const FORMAT = 3;

export function snapshotOf(state: RunState): RunSnapshot {
  return { seq: state.seq, state: JSON.stringify({ format: FORMAT, state }) };
}

/** The state of a snapshot, or null if it must be rebuilt from the events. */
export function readSnapshot(snapshot: RunSnapshot | null): RunState | null {
  if (snapshot === null) return null;
  // An unreadable snapshot counts as missing
  const kept = parseJson(snapshot.state) as
    | { readonly format?: number; readonly state?: RunState }
    | null
    | undefined;
  return kept?.format === FORMAT && kept.state?.seq === snapshot.seq ? kept.state : null;
}

interface KnownView {
  readonly runId: string;
  readonly expectedSeq: number;
}

const LONGEST = 1000;

/**
 * Reads the token, or the run and its seq, of a request.
 *
 * @throws WorkflowError `INVALID_TOKEN`, `RUN_NOT_FOUND`, or `INVALID_PARAMS` if both are missing.
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

/** The error for a refused command. */
export function refusedError(
  runId: string,
  { code, message, details, suggestions }: Rejection,
  view?: object,
): WorkflowError {
  return new WorkflowError(code, {
    where: `run "${runId}"`,
    message,
    details: { runId, ...details },
    ...withoutUndefined({ suggestions, disclosed: view && { view } }),
  });
}

/** The same error for a missing run and for one that the caller may not see. */
export function runNotFound(runId: string): WorkflowError {
  return refusedError(runId, { code: 'RUN_NOT_FOUND', message: `The run "${runId}" does not exist.` });
}

/** Reveals neither the token nor the expected one. */
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

/** Too many concurrent changes to the run. */
export function contended(runId: string): WorkflowError {
  return refusedError(runId, {
    code: 'STORAGE_ERROR',
    message: 'The run changed again and again while it was to be changed.',
    details: { operation: 'append', cause: 'CONTENTION' },
  });
}
