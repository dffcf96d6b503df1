import { observeCall, type SpanAttributes } from '../observe-call.ts';
import type { RunSummary } from '../ports/run-store.ts';
import { cancelRun, checkpointRun, continueRun, expireRuns, startRun } from './run-commands.ts';
import { changeRun } from './change-run.ts';
import { checkVisible, loadRun, checkRunId } from './load-run.ts';
import { pendingStep, resolveRun } from './confirmations.ts';
import type {
  RunCaller,
  CancelRequest,
  CheckpointRequest,
  ContinueRequest,
  Decision,
  DurableRuns,
  ResumeRequest,
  StartRequest,
} from './run-requests.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { type PendingStep, type RunStatusView, type RunView, viewOf } from './run-view.ts';
import { searchRuns, statusOf } from './run-reports.ts';

/**
 * Runs of workflows that are kept: whatever stops, they can be gone on with.
 *
 * @example
 * async function release(runs: RunService): Promise<void> {
 *   const caller = { tenant: 'acme', principal: 'agent-7' };
 *   const { token } = await runs.start(caller, { workflowId: 'release' });
 *   const { status, issues } = await runs.continue(caller, { token, output: 'The notes.' });
 *   console.error(status, issues);
 * }
 */
export class RunService implements DurableRuns {
  readonly #dependencies: RunDependencies;

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies;
  }

  start(caller: RunCaller, request: StartRequest): Promise<RunView> {
    return this.#observed('start', { workflowId: request.workflowId }, (dependencies) =>
      startRun(dependencies, caller, request),
    );
  }

  /**
   * Context without an output is kept, and the step stays open as it is: a report is not an attempt. With
   * neither, it gives the current view and records nothing.
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

  pending(caller: RunCaller, runId: string): Promise<PendingStep | null> {
    return this.#observed('pending', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      return pendingStep(dependencies, runId);
    });
  }

  resolve(caller: RunCaller, runId: string, decision: Decision, userId?: string): Promise<RunView> {
    return this.#observed('resolve', {}, async (dependencies) => {
      await checkVisible(dependencies, checkRunId(runId), caller);
      const user = userId === undefined ? { kind: 'user' as const } : { kind: 'user' as const, id: userId };
      return resolveRun(dependencies, runId, decision, user);
    });
  }

  /**
   * Offers the open step of a run again, with new attempts. For the operators of the service, not for agents: runs of every
   * tenant are within its reach.
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

  /** Records what time did to runs that nobody went on with, and gives how many there were. For a timer. */
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
