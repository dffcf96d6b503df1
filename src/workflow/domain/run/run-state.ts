import type { WorkflowContext } from '../conditions/condition.ts';
import type { ValidationDetail } from '../validation/output-validator.ts';

/** What the events of a run add up to: JSON, so that it can be kept as a snapshot. */
export interface RunState extends RunOrigin {
  /** Of the last event. */
  readonly seq: number;
  readonly status: RunStatus;
  /** ISO 8601, in UTC, as is the next one. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly context: WorkflowContext;
  /** The one step that is open; a loop only while its confirmation is open. */
  readonly current: CurrentStep | null;
  /** The context that came with an output, until it is decided whether it is kept. */
  readonly submitted: WorkflowContext | null;
  readonly blocked: Blocking | null;
  readonly confirmation: PendingConfirmation | null;
  readonly loop: LoopState | null;
  /** The top-level step that was settled last: done, skipped, or a loop that ended. */
  readonly settled: string | null;
  /** Top-level steps. */
  readonly completed: number;
  readonly skipped: number;
  /** The latest ones; the events have them all. */
  readonly notes: readonly string[];
  /** How many notes there were before these. */
  readonly olderNotes: number;
  readonly warnings: readonly LoopWarning[];
}

export interface CurrentStep extends StepRef {
  /** Invalid outputs since it was offered. */
  readonly attempts: number;
}

/** Why a step is still open after an output. */
interface Blocking extends Pick<RunEventData['StepBlocked'], 'issues' | 'details' | 'suggestions'> {
  /** The question that nobody answered in time, if that is why. */
  readonly unanswered?: PendingConfirmation;
}

export interface PendingConfirmation {
  /** Of the event that asked. */
  readonly seq: number;
  readonly expiresAt: string;
}

export interface LoopState {
  readonly stepId: string;
  /** 0 until the first one starts. */
  readonly iteration: number;
  readonly total?: number;
  readonly items?: readonly unknown[];
  /** The body step of this iteration that was settled last. */
  readonly settled: string | null;
}

export interface LoopWarning {
  readonly stepId: string;
  readonly reason: RunReason;
  readonly iterations: number;
}

/** The step and iteration of something, without the rest. */
export function refOf({ stepId, iteration }: StepRef): StepRef {
  return iteration === undefined ? { stepId } : { stepId, iteration };
}

/** When the run expires unless something happens to it, in milliseconds since 1970. */
export function expiryOf({ updatedAt, ttl }: RunState): number {
  return Date.parse(updatedAt) + ttl;
}

/** When time changes the run next: a confirmation that expires comes before the run. */
export function dueOf(state: RunState): number {
  const { confirmation } = state;
  const expiry = expiryOf(state);
  return confirmation === null ? expiry : Math.min(expiry, Date.parse(confirmation.expiresAt));
}

/** Where a run stands; the last three of them are final. */
export type RunStatus = 'running' | 'blocked' | 'awaiting_confirmation' | TerminalStatus;

/** Nothing happens to such a run any more. */
export type TerminalStatus = 'completed' | 'cancelled' | 'expired';

export function isTerminal(status: RunStatus): status is TerminalStatus {
  return status === 'completed' || status === 'cancelled' || status === 'expired';
}

/** What to tell of a loop that did not end as it was meant to; begins with the reason. */
export function loopWarning({ stepId, reason, iterations }: LoopWarning): string {
  return reason === 'LOOP_INPUT_INVALID'
    ? `${reason}: the loop "${stepId}" had no iteration: what it was to go through is not an array, or not a whole number from 0 on.`
    : `${reason}: the loop "${stepId}" ended after ${iterations} iterations, its most, and would have gone on.`;
}

/** Who caused an event. */
export interface Actor {
  readonly kind: 'agent' | 'user' | 'system';
  readonly id?: string;
}

/** Why something was left out or ended early. */
export type RunReason = 'CONDITION_FALSE' | 'LOOP_INPUT_INVALID' | 'LOOP_LIMIT' | 'LOOP_DONE';

/** A step within a run; `iteration` counts from 1 and is there within a loop only. */
export interface StepRef {
  readonly stepId: string;
  readonly iteration?: number;
}

/** What a run was started as, and stays. */
export interface RunOrigin {
  readonly workflowId: string;
  readonly definitionHash: string;
  readonly goal?: string;
  readonly principal: string;
  readonly tenant: string;
  /** How long the run lives after its last event, in milliseconds. */
  readonly ttl: number;
}

/** What each type of event says. Nothing is ever taken out of here: old runs stay readable. */
export interface RunEventData {
  readonly RunStarted: RunOrigin;
  readonly ContextMerged: { readonly context: WorkflowContext };
  /** Offered again, a step starts with new attempts. */
  readonly StepOffered: StepRef;
  readonly StepSkipped: StepRef & { readonly reason: RunReason };
  readonly OutputSubmitted: StepRef & { readonly output: string; readonly context?: WorkflowContext };
  readonly ValidationPerformed: StepRef & { readonly valid: boolean };
  readonly StepBlocked: StepRef & {
    readonly issues: readonly string[];
    readonly details: readonly ValidationDetail[];
    readonly suggestions: readonly string[];
  };
  readonly ConfirmationRequested: StepRef & { readonly expiresAt: string };
  readonly ConfirmationResolved: StepRef & { readonly approved: boolean; readonly comment?: string };
  readonly StepCompleted: StepRef;
  readonly LoopStarted: StepRef & {
    /** How often the body runs at most; unknown for `while` and `until`. */
    readonly total?: number;
    /** What `forEach` goes through, as it was when the loop was reached. */
    readonly items?: readonly unknown[];
  };
  readonly LoopIterationStarted: { readonly stepId: string; readonly iteration: number };
  readonly LoopEnded: StepRef & { readonly reason: RunReason; readonly iterations: number };
  readonly Checkpointed: { readonly notes: string };
  readonly RunCompleted: Readonly<Record<string, never>>;
  readonly RunCancelled: { readonly reason?: string };
  readonly RunExpired: Readonly<Record<string, never>>;
}

/** The name of an event of a run. */
export type RunEventType = keyof RunEventData;

/** The event of one type. */
export interface RunEventOf<Type extends RunEventType> {
  /** 1, 2, 3 and so on within a run, without gaps. */
  readonly seq: number;
  readonly v: 1;
  readonly type: Type;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly actor: Actor;
  readonly data: RunEventData[Type];
}

/** Something that happened to a run. */
export type RunEvent = { readonly [Type in RunEventType]: RunEventOf<Type> }[RunEventType];
