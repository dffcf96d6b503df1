import type { WorkflowContext } from '../../domain/conditions/condition.ts';
import type { RunSummary } from '../ports/run-store.ts';
import type { PendingStep, RunStatusView, RunView } from './run-view.ts';

export interface StartRequest {
  readonly workflowId: string;
  readonly goal?: string;
  readonly context?: WorkflowContext;
  /** A repeat with the same key gives the same run; without one every start makes a new run. */
  readonly idempotencyKey?: string;
}

/** Which view of which run a change answers: its token, or the run and its seq. */
export interface ViewRef {
  readonly token?: string;
  readonly runId?: string;
  readonly expectedSeq?: number;
}

export interface ContinueRequest extends ViewRef {
  readonly output?: string;
  readonly context?: WorkflowContext;
  readonly idempotencyKey?: string;
}

export interface CheckpointRequest extends ViewRef {
  readonly notes: string;
  readonly idempotencyKey?: string;
}

export interface CancelRequest {
  readonly runId: string;
  readonly reason?: string;
  readonly idempotencyKey?: string;
}

export interface ResumeRequest {
  readonly runId?: string;
  readonly query?: string;
  /** 1 to 10. */
  readonly limit?: number;
}

/** What a user decided on a step that waits for it. */
export interface Decision {
  readonly approved: boolean;
  readonly comment?: string;
  /** The seq of the view that the user was shown: what was asked then is not what is asked now. */
  readonly expectedSeq?: number;
}

/** Use cases of durable runs. Everything that can be refused rejects with a WorkflowError. */
export interface DurableRuns {
  start(caller: RunCaller, request: StartRequest): Promise<RunView>;
  continue(caller: RunCaller, request: ContinueRequest): Promise<RunView>;
  checkpoint(caller: RunCaller, request: CheckpointRequest): Promise<RunView>;
  cancel(caller: RunCaller, request: CancelRequest): Promise<RunView>;
  view(caller: RunCaller, runId: string): Promise<RunView>;
  search(caller: RunCaller, request: ResumeRequest): Promise<readonly RunSummary[]>;
  status(caller: RunCaller, runId: string): Promise<RunStatusView>;
  /** What waits for a user now, and with what it was handed in; null if nothing does. */
  pending(caller: RunCaller, runId: string): Promise<PendingStep | null>;
  /** What the user said, however it was asked; never on the word of the agent. */
  resolve(caller: RunCaller, runId: string, decision: Decision, userId?: string): Promise<RunView>;
}

/** On whose behalf something is done. A run is visible to its tenant and principal only. */
export interface RunCaller {
  readonly tenant: string;
  readonly principal: string;
}
