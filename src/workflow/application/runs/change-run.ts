import { createHash } from 'node:crypto';
import { decide } from '../../domain/run/decide.ts';
import type { CommandFacts, Rejection, RunCommand, RunCommandData } from '../../domain/run/run-command.ts';
import type { Actor, RunEvent, RunState } from '../../domain/run/run-state.ts';
import {
  loadRun,
  type LoadedRun,
  snapshotOf,
  contended,
  refusedError,
  keyMismatch,
  runNotFound,
} from './load-run.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { summaryOfRun, viewOf, type RunView } from './run-view.ts';
import type { WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { foldEvents } from '../../domain/run/evolve.ts';
import type { AppendRequest } from '../ports/run-store.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { checkInteger, checkKey } from './run-requests.ts';

interface RunChange {
  readonly runId: string;
  readonly actor: Actor;
  readonly identity: RequestIdentity | undefined;
  /** Seq of the view that the change answers. Without it, the change is for whatever state the run is in, and is tried again if others change the run first. */
  readonly expectedSeq?: number | undefined;
  readonly command: (facts: CommandFacts, run: LoadedRun) => Promise<RunCommand> | RunCommand;
}

const MOST_TRIES = 10;
/** The request answered an outdated view, so the error includes the current one. */
const WITH_VIEW: readonly Rejection['code'][] = ['STALE_SEQUENCE', 'CONFIRMATION_EXPIRED'];

/**
 * Makes every change to a run: handles repeated requests, expiry, the decision and concurrent changes.
 *
 * @throws WorkflowError for a refused change; `STALE_SEQUENCE` and `CONFIRMATION_EXPIRED` have the current view in
 * their details.
 */
export async function changeRun(dependencies: RunDependencies, change: RunChange): Promise<RunView> {
  const { runId, identity, expectedSeq } = change;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const recorded = await recordedView(dependencies, identity);
    if (recorded !== undefined) return recorded;
    const view = await tryChange(dependencies, change, await loadRun(dependencies, runId));
    if (view !== undefined) return view;
    if (expectedSeq === undefined) continue;
    const message = `The run was changed by somebody else, and is not at seq ${expectedSeq} any more.`;
    throw await refused(dependencies, runId, { code: 'STALE_SEQUENCE', message });
  }
  throw contended(runId);
}

async function tryChange(
  dependencies: RunDependencies,
  { runId, actor, identity, command }: RunChange,
  run: LoadedRun,
): Promise<RunView | undefined> {
  const { state, definition } = run;
  const at = new Date(dependencies.clock()).toISOString();
  const facts = { at, actor, definition, limits: dependencies.limits };
  const decided = decide(state, await command(facts, run));
  if (decided.rejection !== undefined) {
    const { rejection, overdue: events } = decided;
    // Expiry has happened whatever becomes of the command, so it is recorded even if the command is refused
    if (events.length > 0) await recordChange(dependencies, { runId, ...run, events, identity: undefined });
    throw await refused(dependencies, runId, rejection);
  }
  if (decided.events.length === 0) return viewOf(dependencies, runId, state, definition);
  return recordChange(dependencies, { runId, ...run, events: decided.events, identity });
}

async function refused(dependencies: RunDependencies, runId: string, rejection: Rejection): Promise<Error> {
  if (!WITH_VIEW.includes(rejection.code)) return refusedError(runId, rejection);
  const { state, definition } = await loadRun(dependencies, runId);
  const current = { ...rejection, details: { ...rejection.details, actualSeq: state.seq } };
  return refusedError(runId, current, await viewOf(dependencies, runId, state, definition));
}

type StartData = RunCommandData['start'];

/** What a new run is of, and who starts it. */
interface NewRun extends StartData {
  readonly definition: WorkflowDefinition;
  readonly identity: RequestIdentity | undefined;
}

/** Makes a new run, and keeps the definition that it is of. */
export async function startRun(
  dependencies: RunDependencies,
  { definition, identity, ...run }: NewRun,
): Promise<RunView> {
  const { clock, ids, limits, definitions } = dependencies;
  const runId = ids();
  const facts = {
    at: new Date(clock()).toISOString(),
    actor: { kind: 'agent' as const },
    definition,
    limits,
  };
  const decided = decide(null, { type: 'start', ...facts, ...run });
  if (decided.rejection !== undefined) throw refusedError(runId, decided.rejection);
  await definitions.pin(definition);
  const change = { runId, definition, state: null, snapshotSeq: 0, events: decided.events, identity };
  const view = await recordChange(dependencies, change);
  if (view === undefined) throw contended(runId);
  return view;
}

/** The events of a decision, and the state they apply to. */
interface DecidedChange {
  readonly runId: string;
  readonly definition: WorkflowDefinition;
  /** Null for a new run. */
  readonly state: RunState | null;
  readonly snapshotSeq: number;
  readonly events: readonly RunEvent[];
  /** Without it, a repeat counts as a new request. */
  readonly identity: RequestIdentity | undefined;
}

/** The recorded answer to the same request. @throws WorkflowError `IDEMPOTENCY_MISMATCH` */
export async function recordedView(
  { store }: RunDependencies,
  identity: RequestIdentity | undefined,
): Promise<RunView | undefined> {
  if (identity === undefined) return undefined;
  const { idempotencyScope, idempotencyKey, requestHash } = identity;
  const recorded = await store.getRecorded(idempotencyScope, idempotencyKey);
  if (recorded === null) return undefined;
  if (recorded.requestHash !== requestHash) throw keyMismatch(idempotencyKey);
  return JSON.parse(recorded.response) as RunView;
}

/**
 * Appends the events together with the answer to the request.
 *
 * @returns undefined if the run was changed in between
 * @throws WorkflowError `IDEMPOTENCY_MISMATCH`
 */
async function recordChange(
  dependencies: RunDependencies,
  change: DecidedChange,
): Promise<RunView | undefined> {
  const { runId, definition, state: before, events, identity, snapshotSeq } = change;
  const state = foldEvents(events, before);
  if (state === null) throw runNotFound(runId);
  const response = JSON.stringify(await viewOf(dependencies, runId, state, definition));
  const result = await dependencies.store.append({
    runId,
    expectedSeq: before?.seq ?? 0,
    events,
    ...(identity !== undefined && { ...identity, response }),
    summary: summaryOfRun(runId, state),
    ...(state.seq - snapshotSeq >= dependencies.limits.snapshotEvery && { snapshot: snapshotOf(state) }),
  });
  if ('conflict' in result) return undefined;
  if ('mismatch' in result) throw keyMismatch(identity?.idempotencyKey ?? '');
  return JSON.parse('duplicate' in result ? result.response : response) as RunView;
}

type RequestIdentity = Required<Pick<AppendRequest, 'idempotencyKey' | 'idempotencyScope' | 'requestHash'>>;

/**
 * @param request JSON; the order of its members does not matter
 * @param key the caller's key. Default: the hash of the request, so that a plain repeat is safe
 */
export function identify(scope: string, request: unknown, key: string | undefined): RequestIdentity {
  const requestHash = createHash('sha256').update(canonicalJson(request)).digest('hex');
  const idempotencyKey = checkKey(key) ?? `request:${requestHash}`;
  return { idempotencyScope: scope, idempotencyKey, requestHash };
}

const PAGE = 100;

/**
 * Records the expiry of runs and of unanswered confirmations. A run that cannot be changed is logged and does not
 * hold up the others.
 *
 * @param options.limit the maximum number of runs to change, oldest first; default all that are due
 * @returns the number of changed runs
 */
export async function expireRuns(
  dependencies: RunDependencies,
  { limit = Number.MAX_SAFE_INTEGER }: { readonly limit?: number } = {},
): Promise<number> {
  checkInteger('limit', limit, 1, Number.MAX_SAFE_INTEGER);
  // Include runs that expire at this very moment
  const before = new Date(dependencies.clock() + 1).toISOString();
  // Runs that failed stay due and come first, so the limit must leave room for the others
  const stuck = new Set<string>();
  for (let changed = 0; ;) {
    const wanted = Math.min(PAGE, limit - changed) + stuck.size;
    const due = await dependencies.store.findExpired(before, wanted);
    for (const runId of due.filter((each) => !stuck.has(each))) {
      if (await expireRun(dependencies, runId)) changed += 1;
      else stuck.add(runId);
      if (changed >= limit) return changed;
    }
    if (due.length < wanted) return changed;
  }
}

/** Whether the run, or its confirmation, had expired. */
async function expireRun(dependencies: RunDependencies, runId: string): Promise<boolean> {
  let seqBefore = 0;
  try {
    const { seq } = await changeRun(dependencies, {
      runId,
      actor: { kind: 'system' },
      identity: undefined,
      command: (facts, { state }) => {
        seqBefore = state.seq;
        return { ...facts, type: 'expire' };
      },
    });
    return seq > seqBefore;
  } catch (cause) {
    const message = 'A run that is due to expire could not be changed.';
    dependencies.logger.log({ level: 'error', event: 'workflow.run.expiry-failed', message, runId, cause });
    return false;
  }
}
