import type { WorkflowContext } from '../conditions/condition.ts';
import type { ValidationDetail } from '../validation/output-validator.ts';

/** The state that results from the events of a run: JSON, so that it can be stored as a snapshot. */
export interface RunState extends RunOrigin {
  /** The seq of the last event. */
  readonly seq: number;
  readonly status: RunStatus;
  /** ISO 8601, in UTC, as is the next one. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly context: WorkflowContext;
  /** The open step; a loop only while it awaits confirmation. */
  readonly current: CurrentStep | null;
  /** The context that came with an output, until it is merged or dropped. */
  readonly submitted: WorkflowContext | null;
  readonly blocked: Blocking | null;
  readonly confirmation: PendingConfirmation | null;
  readonly loop: LoopState | null;
  /** The last settled top-level step: completed, skipped, or a loop that ended. */
  readonly settled: string | null;
  /** The number of completed top-level steps. */
  readonly completed: number;
  readonly skipped: number;
  /** The latest notes; the events have all of them. */
  readonly notes: readonly string[];
  /** The number of earlier notes. */
  readonly olderNotes: number;
  readonly warnings: readonly LoopWarning[];
}

export interface CurrentStep extends StepRef {
  /** Invalid outputs since the step was offered. */
  readonly attempts: number;
}

/** Why a step is still open after an output. */
interface Blocking extends Pick<RunEventData['StepBlocked'], 'issues' | 'details' | 'suggestions'> {
  /** The question that was not answered in time, if that is the reason. */
  readonly unanswered?: PendingConfirmation;
}

export interface PendingConfirmation {
  /** The seq of the event that asked. */
  readonly seq: number;
  readonly expiresAt: string;
}

export interface LoopState {
  readonly stepId: string;
  /** 0 until the first iteration starts. */
  readonly iteration: number;
  readonly total?: number;
  readonly items?: readonly unknown[];
  /** The last settled body step of this iteration. */
  readonly settled: string | null;
}

export interface LoopWarning {
  readonly stepId: string;
  readonly reason: RunReason;
  readonly iterations: number;
}

/** Only the step and the iteration of a value. */
export function refOf({ stepId, iteration }: StepRef): StepRef {
  return iteration === undefined ? { stepId } : { stepId, iteration };
}

/** When the run expires unless something happens to it, in milliseconds since 1970. */
export function expiryOf({ updatedAt, ttl }: RunState): number {
  return Date.parse(updatedAt) + ttl;
}

/** When the next expiry is due: that of the open confirmation or of the run, whichever is earlier. */
export function dueOf(state: RunState): number {
  const { confirmation } = state;
  const expiry = expiryOf(state);
  return confirmation === null ? expiry : Math.min(expiry, Date.parse(confirmation.expiresAt));
}

/** The status of a run; the last three are final. */
export type RunStatus = 'running' | 'blocked' | 'awaiting_confirmation' | TerminalStatus;

/** The final statuses of a run. */
export type TerminalStatus = 'completed' | 'cancelled' | 'expired';

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return status === 'completed' || status === 'cancelled' || status === 'expired';
}

/** The warning about a loop that ended early; starts with the reason. */
export function loopWarning({ stepId, reason, iterations }: LoopWarning): string {
  return reason === 'LOOP_INPUT_INVALID'
    ? `${reason}: the loop "${stepId}" had no iteration: what it was to go through is not an array, or not a whole number from 0 on.`
    : `${reason}: the loop "${stepId}" ended after ${iterations} iterations, its most, and would have gone on.`;
}

/** The cause of an event. */
export interface Actor {
  /** An agent, a person, or the module itself. */
  readonly kind: 'agent' | 'user' | 'system';
  /** Who exactly, if that is known. */
  readonly id?: string;
}

/** Why a step was skipped, or a loop ended. */
export type RunReason = 'CONDITION_FALSE' | 'LOOP_INPUT_INVALID' | 'LOOP_LIMIT' | 'LOOP_DONE';

/** A step within a run; `iteration` counts from 1 and is present only within a loop. */
export interface StepRef {
  /** The id of the step. */
  readonly stepId: string;
  /** The number of the iteration, from 1. */
  readonly iteration?: number;
}

/** The facts of a run that are fixed at its start. */
export interface RunOrigin {
  /** The id of the workflow. */
  readonly workflowId: string;
  /** The hash of the definition that the run follows. */
  readonly definitionHash: string;
  /** What the run is to achieve. */
  readonly goal?: string;
  /** The caller within the tenant that the run belongs to. */
  readonly principal: string;
  /** The tenant that the run belongs to. */
  readonly tenant: string;
  /** How long after its last event the run expires, in milliseconds. */
  readonly ttl: number;
}

/** The data of each type of event. Never remove a type or a member: old runs must stay readable. */
export interface RunEventData {
  /** A run was started. */
  readonly RunStarted: RunOrigin;
  /** Variables were set or replaced. */
  readonly ContextMerged: { readonly context: WorkflowContext };
  /** A step that is offered again starts with new attempts. */
  readonly StepOffered: StepRef;
  /** The condition of a step did not hold. */
  readonly StepSkipped: StepRef & { readonly reason: RunReason };
  /** An agent submitted the output of a step. */
  readonly OutputSubmitted: StepRef & { readonly output: string; readonly context?: WorkflowContext };
  /** An output was validated. */
  readonly ValidationPerformed: StepRef & { readonly valid: boolean };
  /** An output did not pass; the lists say what is wrong and what to change. */
  readonly StepBlocked: StepRef & {
    readonly issues: readonly string[];
    readonly details: readonly ValidationDetail[];
    readonly suggestions: readonly string[];
  };
  /** A user has to confirm a step before `expiresAt`. */
  readonly ConfirmationRequested: StepRef & { readonly expiresAt: string };
  /** A user confirmed or refused a step. */
  readonly ConfirmationResolved: StepRef & { readonly approved: boolean; readonly comment?: string };
  /** A step was completed. */
  readonly StepCompleted: StepRef;
  /** A loop began. */
  readonly LoopStarted: StepRef & {
    /** The maximum number of iterations; unknown for `while` and `until`. */
    readonly total?: number;
    /** The items of a `forEach` loop, as they were when the run reached it. */
    readonly items?: readonly unknown[];
  };
  /** An iteration of a loop began. */
  readonly LoopIterationStarted: { readonly stepId: string; readonly iteration: number };
  /** A loop ended. */
  readonly LoopEnded: StepRef & { readonly reason: RunReason; readonly iterations: number };
  /** An agent left notes. */
  readonly Checkpointed: { readonly notes: string };
  /** All steps are complete. */
  readonly RunCompleted: Readonly<Record<string, never>>;
  /** The run was cancelled. */
  readonly RunCancelled: { readonly reason?: string };
  /** The run was not changed in time. */
  readonly RunExpired: Readonly<Record<string, never>>;
}

/** The name of an event of a run. */
export type RunEventType = keyof RunEventData;

/** The event of one type. */
export interface RunEventOf<Type extends RunEventType> {
  /** 1, 2, 3 and so on within a run, without gaps. */
  readonly seq: number;
  /** The version of this form; it will not change for events that are stored. */
  readonly v: 1;
  /** The name of the event. */
  readonly type: Type;
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** Who caused it. */
  readonly actor: Actor;
  /** The data of the event. */
  readonly data: RunEventData[Type];
}

/** An event of a run. */
export type RunEvent = { readonly [Type in RunEventType]: RunEventOf<Type> }[RunEventType];
