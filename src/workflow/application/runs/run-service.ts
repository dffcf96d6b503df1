import { observeCall } from '../observe-call.ts';
import type { RunSummary } from '../ports/run-store.ts';
import type { SpanAttributes } from '../ports/environment.ts';
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
import type { RunParts } from './run-parts.ts';
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
  readonly #parts: RunParts;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  start(caller: RunCaller, request: StartRequest): Promise<RunView> {
    return this.#observed('start', { workflowId: request.workflowId }, (parts) =>
      startRun(parts, caller, request),
    );
  }

  /**
   * Context without an output is kept, and the step stays open as it is: a report is not an attempt. With
   * neither, it gives the current view and records nothing.
   */
  continue(caller: RunCaller, request: ContinueRequest): Promise<RunView> {
    return this.#observed('continue', {}, (parts) => continueRun(parts, caller, request));
  }

  checkpoint(caller: RunCaller, request: CheckpointRequest): Promise<RunView> {
    return this.#observed('checkpoint', {}, (parts) => checkpointRun(parts, caller, request));
  }

  cancel(caller: RunCaller, request: CancelRequest): Promise<RunView> {
    return this.#observed('cancel', {}, (parts) => cancelRun(parts, caller, request));
  }

  view(caller: RunCaller, runId: string): Promise<RunView> {
    return this.#observed('view', {}, async (parts) => {
      await checkVisible(parts, checkRunId(runId), caller);
      const { state, definition } = await loadRun(parts, runId);
      return viewOf(parts, runId, state, definition);
    });
  }

  search(caller: RunCaller, request: ResumeRequest): Promise<readonly RunSummary[]> {
    return this.#observed('search', {}, (parts) => searchRuns(parts, caller, request));
  }

  status(caller: RunCaller, runId: string): Promise<RunStatusView> {
    return this.#observed('status', {}, async (parts) => {
      await checkVisible(parts, checkRunId(runId), caller);
      return statusOf(parts, runId);
    });
  }

  pending(caller: RunCaller, runId: string): Promise<PendingStep | null> {
    return this.#observed('pending', {}, async (parts) => {
      await checkVisible(parts, checkRunId(runId), caller);
      return pendingStep(parts, runId);
    });
  }

  resolve(caller: RunCaller, runId: string, decision: Decision, userId?: string): Promise<RunView> {
    return this.#observed('resolve', {}, async (parts) => {
      await checkVisible(parts, checkRunId(runId), caller);
      const user = userId === undefined ? { kind: 'user' as const } : { kind: 'user' as const, id: userId };
      return resolveRun(parts, runId, decision, user);
    });
  }

  /**
   * Offers the open step of a run again, with new attempts. For the operators of the service, not for agents: runs of every
   * tenant are within its reach.
   */
  resetAttempts(runId: string): Promise<RunView> {
    return this.#observed('reset', {}, (parts) =>
      changeRun(parts, {
        runId: checkRunId(runId),
        actor: { kind: 'system' },
        identity: undefined,
        command: (facts) => ({ ...facts, type: 'reset' }),
      }),
    );
  }

  /** Records what time did to runs that nobody went on with, and gives how many there were. For a timer. */
  expireRuns(options?: { readonly limit?: number }): Promise<number> {
    return this.#observed('expire', {}, (parts) => expireRuns(parts, options));
  }

  #observed<Result>(
    operation: string,
    subject: SpanAttributes,
    work: (parts: RunParts) => Promise<Result>,
  ): Promise<Result> {
    return observeCall(this.#parts, `run.${operation}`, subject, () => work(this.#parts));
  }
}
