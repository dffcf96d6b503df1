import type { WorkflowDocument, WorkflowStep } from './workflow-document.ts';

/** The step of a workflow with the id, be it at the top level or in the body of a loop. */
export function findStep(definition: WorkflowDocument, stepId: string): WorkflowStep | undefined {
  return definition.steps.flatMap(withBody).find(({ id }) => id === stepId);
}

function withBody(step: WorkflowStep): readonly WorkflowStep[] {
  return step.type === 'loop' && typeof step.body !== 'string' ? [step, ...step.body] : [step];
}
