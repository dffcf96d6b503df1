import type { WorkflowStep } from '../document/workflow-document.ts';

/** What is to be done next. */
export interface NextStep {
  /** Null when nothing is left. */
  readonly step: OfferedStep | null;
  readonly guidance: StepGuidance;
  readonly isComplete: boolean;
}

/** A step as it is written; in a loop, with its iteration. */
export type OfferedStep = WorkflowStep & { readonly iteration?: number };

export interface StepGuidance {
  readonly prompt: string;
  /** Loops that ended early; absent when there is nothing to tell. */
  readonly warnings?: readonly string[];
}
