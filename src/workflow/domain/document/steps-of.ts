import type { LoopStep, PlainStep, WorkflowDocument, WorkflowStep } from './workflow-document.ts';

/** The top-level steps that run by themselves: all but those that a loop names as its body. */
export function ownSteps(definition: WorkflowDocument): readonly WorkflowStep[] {
  const bodies = new Set<unknown>(definition.steps.filter(isLoop).map(({ body }) => body));
  return definition.steps.filter(({ id }) => !bodies.has(id));
}

/** The steps that a loop repeats, in order: its inline ones, or the top-level step that it names. */
export function bodyOf(definition: WorkflowDocument, { body }: LoopStep): readonly PlainStep[] {
  if (typeof body !== 'string') return body;
  return definition.steps.filter(isPlain).filter(({ id }) => id === body);
}

function isLoop(step: WorkflowStep): step is LoopStep {
  return step.type === 'loop';
}

function isPlain(step: WorkflowStep): step is PlainStep {
  return step.type === undefined;
}
