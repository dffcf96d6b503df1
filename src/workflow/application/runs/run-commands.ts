import { withoutUndefined } from '../../../shared/json.ts';
import { decide, refuseOutput } from '../../domain/run/decide.ts';
import {
  checkContext,
  checkOptionalText,
  checkText,
  checkKey,
  checkInteger,
  type RunCaller,
  type StartRequest,
  type ContinueRequest,
  type CheckpointRequest,
  type CancelRequest,
} from './run-requests.ts';
import { recordChange, recordedView, identify, changeRun } from './change-run.ts';
import {
  contended,
  refusedError,
  loadRun,
  type LoadedRun,
  readViewRef,
  checkVisible,
  checkRunId,
} from './load-run.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { type RunView, viewOf } from './run-view.ts';
import { type WorkflowContext, mergedScope } from '../../domain/conditions/condition.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import { conditionScope } from '../../domain/run/advance.ts';
import type { ValidationResult } from '../../domain/validation/output-validator.ts';

const LONGEST_ID = 64;
const LONGEST_GOAL = 2000;

/** Starts a run of the current version of a workflow. */
export async function startRun(
  dependencies: RunDependencies,
  caller: RunCaller,
  request: StartRequest,
): Promise<RunView> {
  const workflowId = checkText('workflowId', request.workflowId, { min: 1, max: LONGEST_ID });
  const goal = checkOptionalText('goal', request.goal, { max: LONGEST_GOAL });
  const context = checkContext(request.context);
  const { tenant, principal } = caller;
  const asked = { start: { workflowId, goal, context } };
  const identity =
    request.idempotencyKey === undefined
      ? undefined
      : identify(JSON.stringify([tenant, principal]), asked, request.idempotencyKey);
  const recorded = await recordedView(dependencies, identity);
  if (recorded !== undefined) return recorded;

  const definition = await dependencies.workflows.getDefinition(workflowId);
  const runId = dependencies.ids();
  const decided = decide(null, {
    type: 'start',
    at: new Date(dependencies.clock()).toISOString(),
    actor: { kind: 'agent' },
    definition,
    limits: dependencies.limits,
    tenant,
    principal,
    ...withoutUndefined({ goal, context }),
  });
  if (decided.rejection !== undefined) throw refusedError(runId, decided.rejection);
  await dependencies.definitions.pin(definition);
  const change = { runId, definition, state: null, snapshotSeq: 0, events: decided.events, identity };
  const view = await recordChange(dependencies, change);
  if (view === undefined) throw contended(runId);
  return view;
}

/** Submits the output of the open step, or context alone; with neither, it returns the current view. */
export async function continueRun(
  dependencies: RunDependencies,
  caller: RunCaller,
  request: ContinueRequest,
): Promise<RunView> {
  const output = checkOptionalText('output', request.output);
  const context = checkContext(request.context);
  const idempotencyKey = checkKey(request.idempotencyKey);
  const { runId, expectedSeq } = await readViewRef(dependencies, caller, request);
  if (output === undefined && context === undefined) {
    const { state, definition } = await loadRun(dependencies, runId);
    return viewOf(dependencies, runId, state, definition);
  }
  return changeRun(dependencies, {
    runId,
    expectedSeq,
    actor: { kind: 'agent' },
    identity: identify(runId, { continue: { runId, expectedSeq, output, context } }, idempotencyKey),
    command: async (facts, run) => {
      const all = { ...facts, expectedSeq };
      if (output === undefined) return { ...all, type: 'inform', context: context ?? {} };
      const isAnswer = run.state.seq === expectedSeq;
      const validation = isAnswer ? await validateOutput(dependencies, run, output, context) : null;
      return { ...all, type: 'submit', output, ...withoutUndefined({ context }), validation };
    },
  });
}

/** Null where the output is refused without validation, and for a loop, which has no rules. */
async function validateOutput(
  { validator, limits }: RunDependencies,
  { state, definition }: LoadedRun,
  output: string,
  context: WorkflowContext | undefined,
): Promise<ValidationResult | null> {
  const step = state.current === null ? undefined : findStep(definition, state.current.stepId);
  if (step === undefined || step.type === 'loop' || refuseOutput(output, limits) !== undefined) return null;
  const scope = mergedScope(conditionScope(state, definition, context));
  return validator.validate(output, step.validationCriteria, scope);
}

const LONGEST_NOTES = 10_000;

/** Adds notes to a run without advancing it. */
export async function checkpointRun(
  dependencies: RunDependencies,
  caller: RunCaller,
  request: CheckpointRequest,
): Promise<RunView> {
  const notes = checkText('notes', request.notes, { min: 1, max: LONGEST_NOTES });
  const idempotencyKey = checkKey(request.idempotencyKey);
  const { runId, expectedSeq } = await readViewRef(dependencies, caller, request);
  return changeRun(dependencies, {
    runId,
    expectedSeq,
    actor: { kind: 'agent' },
    identity: identify(runId, { checkpoint: { runId, expectedSeq, notes } }, idempotencyKey),
    command: (facts) => ({ ...facts, type: 'checkpoint', notes, expectedSeq }),
  });
}

const LONGEST_REASON = 10_000;

/** Ends a run at any step. A cancelled run stays as it is. */
export async function cancelRun(
  dependencies: RunDependencies,
  caller: RunCaller,
  request: CancelRequest,
): Promise<RunView> {
  const runId = checkRunId(request.runId);
  const reason = checkOptionalText('reason', request.reason, { max: LONGEST_REASON });
  const idempotencyKey = checkKey(request.idempotencyKey);
  await checkVisible(dependencies, runId, caller);
  return changeRun(dependencies, {
    runId,
    actor: { kind: 'agent' },
    identity: identify(runId, { cancel: { runId, reason } }, idempotencyKey),
    command: (facts) => ({ ...facts, type: 'cancel', ...withoutUndefined({ reason }) }),
  });
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
