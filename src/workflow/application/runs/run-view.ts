import type { RunEventType } from '../../domain/run/run-event.ts';
import type { RunStatus } from '../../domain/run/run-state.ts';
import type { ValidationDetail } from '../../domain/validation/output-validator.ts';

/** Why a step is still open, and what to do; all empty while nothing is wrong. */
export interface RunRepairs {
  readonly issues: readonly string[];
  readonly details: readonly ValidationDetail[];
  readonly suggestions: readonly string[];
}

/** What the caller of a run sees: where it stands, and the one step that is next. Never a later one. */
export interface RunView extends RunRepairs {
  readonly runId: string;
  /** Names the run and its seq, signed; what answers this view gives it back. */
  readonly token: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly seq: number;
  readonly status: RunStatus;
  readonly step: RunStepView | null;
  readonly progress: RunProgress;
  /** Of the current step; 0 when there is none. */
  readonly attemptsLeft: number;
  /** The latest ones, up to 50 and 16 KiB; the latest of all is there however long it is. */
  readonly notes: readonly string[];
  /** Loops that ended early, older notes that are not shown, and the like. */
  readonly warnings: readonly string[];
  /** ISO 8601, in UTC. */
  readonly expiresAt: string;
}

export interface RunStepView {
  readonly id: string;
  readonly title: string;
  /** With role, guidance and loop in front. */
  readonly prompt: string;
  readonly askForFiles: boolean;
  readonly requireConfirmation: boolean;
  readonly iteration?: number;
}

export interface RunProgress {
  readonly completed: number;
  readonly skipped: number;
  /** The top-level steps of the workflow that run by themselves. */
  readonly total: number;
}

/** What workflow_status gives: what happened, without prompts. */
export interface RunStatusView extends RunRepairs {
  readonly runId: string;
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly seq: number;
  readonly status: RunStatus;
  readonly goal?: string;
  readonly progress: RunProgress;
  /** The latest 500 events, in order. */
  readonly history: readonly RunHistoryEntry[];
  /** How many events there were before those of the history. */
  readonly omitted: number;
  readonly expiresAt: string;
}

export interface RunHistoryEntry {
  readonly seq: number;
  readonly at: string;
  readonly type: RunEventType;
  readonly actor: string;
  readonly stepId?: string;
  readonly iteration?: number;
  readonly reason?: string;
}
