import type { WorkflowContext } from '../domain/conditions/condition.ts';
import type { WorkflowSummary } from '../domain/document/workflow-document.ts';

export type { NextStep, OfferedStep, StepGuidance } from '../domain/guidance/next-step.ts';

export interface ListedWorkflows {
  readonly workflows: readonly WorkflowSummary[];
}

export interface GetWorkflowRequest {
  readonly workflowId: string;
}

export interface NextStepRequest {
  readonly workflowId: string;
  /** In any order; body steps of loops as `<id>@<iteration>`. Null counts as none. */
  readonly completedSteps?: readonly string[] | null;
  readonly context?: WorkflowContext;
}

export interface ValidateStepRequest {
  readonly workflowId: string;
  readonly stepId: string;
  readonly output: string;
  readonly context?: WorkflowContext;
}
