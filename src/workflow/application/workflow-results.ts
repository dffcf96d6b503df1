import type { WorkflowContext } from '../domain/conditions/condition.ts';
import type { WorkflowStep, WorkflowSummary } from '../domain/document/workflow-document.ts';

export interface ListedWorkflows {
  readonly workflows: readonly WorkflowSummary[];
}

export interface NextStepRequest {
  readonly workflowId: string;
  /** In any order; body steps of loops as `<id>@<iteration>`. Null counts as none. */
  readonly completedSteps?: readonly string[] | null;
  readonly context?: WorkflowContext;
}

/** A step as it is written; in a loop, with its iteration. */
export type OfferedStep = WorkflowStep & { readonly iteration?: number };

export interface NextStep {
  readonly step: OfferedStep | null;
  readonly guidance: StepGuidance;
  readonly isComplete: boolean;
}

export interface StepGuidance {
  readonly prompt: string;
  /** Loops that ended early; absent when there is nothing to tell. */
  readonly warnings?: readonly string[];
}

export interface ValidateStepRequest {
  readonly workflowId: string;
  readonly stepId: string;
  readonly output: string;
  readonly context?: WorkflowContext;
}
