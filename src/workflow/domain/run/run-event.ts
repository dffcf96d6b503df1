import type { WorkflowContext } from '../conditions/condition.ts';
import type { ValidationDetail } from '../validation/output-validator.ts';

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

/** What each type of event says. Nothing is ever taken out of here: old runs stay readable. */
export interface RunEventData {
  readonly RunStarted: {
    readonly workflowId: string;
    readonly definitionHash: string;
    readonly goal?: string;
    readonly principal: string;
    readonly tenant: string;
    /** How long the run lives after its last event, in milliseconds. */
    readonly ttl: number;
  };
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

export type RunEventType = keyof RunEventData;

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
