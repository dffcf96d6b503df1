import { observeCall, type SpanAttributes } from '../observe-call.ts';
import type { RunPage, RunQuery, RunSummary } from '../ports/run-store.ts';
import { cancelRun, checkpointRun, continueRun, expireRuns, startRun } from './run-commands.ts';
import { changeRun } from './change-run.ts';
import { checkVisible, loadRun, checkRunId } from './load-run.ts';
import { pendingStep, resolveRun, type UserActor } from './confirmations.ts';
import type {
  RunCaller,
  CancelRequest,
  CheckpointRequest,
  ContinueRequest,
  Decision,
  ResumeRequest,
  StartRequest,
} from './run-requests.ts';
import { RunDependencies, type RunPorts } from './run-dependencies.ts';
import { type PendingStep, type RunStatusView, type RunView, viewOf } from './run-view.ts';
import { searchRuns, statusOf } from './run-reports.ts';

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

  start(caller: RunCaller, request: StartRequest): Promise<RunView> {
    return this.#observed('start', { workflowId: request.workflowId }, (dependencies) =>
      startRun(dependencies, caller, request),
    );
  }

  /**
   * Context without an output is stored, and the step stays open as it is; it does not count as an attempt. With
   * neither, it returns the current view and records nothing.
   */
  continue(caller: RunCaller, request: ContinueRequest): Promise<RunView> {
    return this.#observed('continue', {}, (dependencies) => continueRun(dependencies, caller, request));
  }

  checkpoint(caller: RunCaller, request: CheckpointRequest): Promise<RunView> {
    return this.#observed('checkpoint', {}, (dependencies) => checkpointRun(dependencies, caller, request));
  }

  cancel(caller: RunCaller, request: CancelRequest): Promise<RunView> {
    return this.#observed('cancel', {}, (dependencies) => cancelRun(dependencies, caller, request));
  }

  view(caller: RunCaller, runId: string): Promise<RunView> {
    return this.#observed('view', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      const { state, definition } = await loadRun(dependencies, runId);
      return viewOf(dependencies, runId, state, definition);
    });
  }

  search(caller: RunCaller, request: ResumeRequest): Promise<readonly RunSummary[]> {
    return this.#observed('search', {}, (dependencies) => searchRuns(dependencies, caller, request));
  }

  status(caller: RunCaller, runId: string): Promise<RunStatusView> {
    return this.#observed('status', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      return statusOf(dependencies, runId);
    });
  }

  /** The step that awaits the user now, with its submitted output and context; null if none does. */
  pending(caller: RunCaller, runId: string): Promise<PendingStep | null> {
    return this.#observed('pending', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      return pendingStep(dependencies, runId);
    });
  }

  /** Records the decision of a user whom the caller has asked. Never call it with what an agent says. */
  resolve(caller: RunCaller, runId: string, decision: Decision, userId?: string): Promise<RunView> {
    return this.#observed('resolve', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      const user = userId === undefined ? { kind: 'user' as const } : { kind: 'user' as const, id: userId };
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

  #observed<Result>(
    operation: string,
    subject: SpanAttributes,
    work: (dependencies: RunDependencies) => Promise<Result>,
  ): Promise<Result> {
    return observeCall(this.#dependencies, `run.${operation}`, subject, () => work(this.#dependencies));
  }
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
