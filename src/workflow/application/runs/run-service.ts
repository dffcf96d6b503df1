import { withoutUndefined } from '../../../shared/json.ts';
import { mergedScope, type WorkflowContext } from '../../domain/conditions/condition.ts';
import { findStep } from '../../domain/document/workflow-document.ts';
import { conditionScope } from '../../domain/run/advance.ts';
import { refuseOutput } from '../../domain/run/decide.ts';
import type { ValidationResult } from '../../domain/validation/output-validator.ts';
import { observeCall, type SpanAttributes } from '../observe-call.ts';
import type { RunPage, RunQuery, RunSummary } from '../ports/run-store.ts';
import { changeRun, expireRuns, identify, recordedView, startRun } from './change-run.ts';
import { pendingStep, resolveRun, type PendingStep, type UserActor } from './confirmations.ts';
import { checkRunId, checkVisible, readViewRef, type LoadedRun } from './load-run.ts';
import { RunDependencies, type RunPorts } from './run-dependencies.ts';
import { searchRuns, statusOf, viewNow, type RunStatusView, type RunView } from './run-view.ts';
import {
  checkContext,
  checkKey,
  checkOptionalText,
  checkText,
  LONGEST_GOAL,
  LONGEST_NOTES,
  type CancelRequest,
  type CheckpointRequest,
  type ContinueRequest,
  type Decision,
  type ResumeRequest,
  type RunCaller,
  type StartRequest,
} from './run-requests.ts';

const LONGEST_ID = 64;
const LONGEST_REASON = 10_000;

let dependenciesOf: (runs: RunService) => RunDependencies;

/**
 * Durable runs of workflows: they can be continued after any interruption. A refused request rejects with a
 * WorkflowError.
 *
 * @example
 * async function release(runs: RunService): Promise<void> {
 *   const caller = { tenant: 'acme', principal: 'agent-7' };
 *   const { token } = await runs.start(caller, { workflowId: 'release' });
 *   const { status, issues } = await runs.continue(caller, { token, output: 'The notes.' });
 *   console.error(status, issues);
 * }
 */
export class RunService {
  static {
    dependenciesOf = (runs) => runs.#dependencies;
  }

  readonly #dependencies: RunDependencies;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION`, also for signing keys that cannot be used */
  constructor(ports: RunPorts) {
    this.#dependencies = new RunDependencies(ports);
  }

  /** Starts a run of the current version of a workflow. */
  start(caller: RunCaller, request: StartRequest): Promise<RunView> {
    return this.#observed('start', { workflowId: request.workflowId }, async (dependencies) => {
      const workflowId = checkText('workflowId', request.workflowId, { min: 1, max: LONGEST_ID });
      const goal = checkOptionalText('goal', request.goal, { max: LONGEST_GOAL });
      const context = checkContext(request.context);
      const { idempotencyKey: key } = request;
      const { tenant, principal } = caller;
      const asked = { start: { workflowId, goal, context } };
      const identity =
        key === undefined ? undefined : identify(JSON.stringify([tenant, principal]), asked, key);
      const recorded = await recordedView(dependencies, identity);
      if (recorded !== undefined) return recorded;
      const definition = await dependencies.workflows.getDefinition(workflowId);
      const given = withoutUndefined({ goal, context });
      return startRun(dependencies, { tenant, principal, definition, identity, ...given });
    });
  }

  /**
   * Submits the output of the open step. Context without an output is stored, and the step stays open as it is; it
   * does not count as an attempt. With neither, it returns the current view and records nothing.
   */
  continue(caller: RunCaller, request: ContinueRequest): Promise<RunView> {
    return this.#observed('continue', {}, async (dependencies) => {
      const output = checkOptionalText('output', request.output);
      const context = checkContext(request.context);
      const idempotencyKey = checkKey(request.idempotencyKey);
      const { runId, expectedSeq } = await readViewRef(dependencies, caller, request);
      if (output === undefined && context === undefined) return viewNow(dependencies, runId);
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
    });
  }

  /** Adds notes to a run without advancing it. */
  checkpoint(caller: RunCaller, request: CheckpointRequest): Promise<RunView> {
    return this.#observed('checkpoint', {}, async (dependencies) => {
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
    });
  }

  /** Ends a run at any step. A cancelled run stays as it is. */
  cancel(caller: RunCaller, request: CancelRequest): Promise<RunView> {
    return this.#observed('cancel', {}, async (dependencies) => {
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
    });
  }

  /** The view of a run: its status and its next step. */
  view(caller: RunCaller, runId: string): Promise<RunView> {
    return this.#ofCaller('view', caller, runId, viewNow);
  }

  /** The caller's runs that match, the last changed first. */
  search(caller: RunCaller, request: ResumeRequest): Promise<readonly RunSummary[]> {
    return this.#observed('search', {}, (dependencies) => searchRuns(dependencies, caller, request));
  }

  /** The status and history of a run, without prompts. */
  status(caller: RunCaller, runId: string): Promise<RunStatusView> {
    return this.#ofCaller('status', caller, runId, statusOf);
  }

  /** The step that awaits the user now, with its submitted output and context; null if none does. */
  pending(caller: RunCaller, runId: string): Promise<PendingStep | null> {
    return this.#ofCaller('pending', caller, runId, pendingStep);
  }

  /** Records the decision of a user whom the caller has asked. Never call it with what an agent says. */
  resolve(caller: RunCaller, runId: string, decision: Decision, userId?: string): Promise<RunView> {
    return this.#ofCaller('resolve', caller, runId, (dependencies) => {
      const user = { kind: 'user' as const, ...withoutUndefined({ id: userId }) };
      return resolveRun(dependencies, runId, decision, user);
    });
  }

  /**
   * Offers the open step of a run again, with new attempts. For operators of the service, not for agents: it reaches
   * runs of every tenant.
   */
  resetAttempts(runId: string): Promise<RunView> {
    return this.#observed('reset', {}, (dependencies) =>
      changeRun(dependencies, {
        runId: checkRunId(runId),
        actor: { kind: 'system' },
        identity: undefined,
        command: (facts) => ({ ...facts, type: 'reset' }),
      }),
    );
  }

  /** Records the expiry of runs and confirmations, and returns how many runs changed. Meant for a timer. */
  expireRuns(options?: { readonly limit?: number }): Promise<number> {
    return this.#observed('expire', {}, (dependencies) => expireRuns(dependencies, options));
  }

  /** For a run that the caller may see. */
  #ofCaller<Result>(
    operation: string,
    caller: RunCaller,
    runId: string,
    work: (dependencies: RunDependencies, runId: string) => Promise<Result>,
  ): Promise<Result> {
    return this.#observed(operation, {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      return work(dependencies, runId);
    });
  }

  #observed<Result>(
    operation: string,
    subject: SpanAttributes,
    work: (dependencies: RunDependencies) => Promise<Result>,
  ): Promise<Result> {
    return observeCall(this.#dependencies, `run.${operation}`, subject, () => work(this.#dependencies));
  }
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

/**
 * Out-of-band confirmations, for a page, a chat or a command in which a user decides. The caller must check
 * who may decide: the service reaches runs of every tenant.
 *
 * @example
 * async function approveAll(confirmations: ConfirmationService): Promise<void> {
 *   const { runs } = await confirmations.pending({ tenant: 'acme', limit: 20 });
 *   for (const { runId } of runs) {
 *     const step = await confirmations.describe(runId);
 *     if (step === null) continue;
 *     const decision = { approved: true, expectedSeq: step.seq };
 *     await confirmations.resolve(runId, decision, { kind: 'user', id: 'ada' });
 *   }
 * }
 */
export class ConfirmationService {
  readonly #dependencies: RunDependencies;

  /** @param runs the service that manages the runs */
  constructor(runs: RunService) {
    this.#dependencies = dependenciesOf(runs);
  }

  /** The runs of a tenant that await a user. */
  async pending(query: Omit<RunQuery, 'status'>): Promise<RunPage> {
    const { store, clock } = this.#dependencies;
    const { runs, ...more } = await store.find({ ...query, status: 'awaiting_confirmation' });
    // Some may have expired without a record of it yet
    return { ...more, runs: runs.filter(({ expiresAt }) => clock() < Date.parse(expiresAt)) };
  }

  /** The step that awaits a user; null if none does. @throws WorkflowError `RUN_NOT_FOUND` */
  describe(runId: string): Promise<PendingStep | null> {
    return pendingStep(this.#dependencies, runId);
  }

  /**
   * Completes the step if the user approved; otherwise blocks it with `CONFIRMATION_REJECTED`.
   *
   * @throws WorkflowError `RUN_NOT_FOUND`, `CONFIRMATION_EXPIRED` if it comes too late, `STALE_SEQUENCE` if no
   * question is open for it, `RUN_FINISHED`, `RUN_EXPIRED`, or `INVALID_PARAMS` for an actor that is not a user.
   */
  resolve(runId: string, decision: Decision, actor: UserActor): Promise<RunView> {
    return observeCall(this.#dependencies, 'run.confirm', { runId }, () =>
      resolveRun(this.#dependencies, runId, decision, actor),
    );
  }
}
