import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import { ownSteps } from '../document/steps-of.ts';
import type { WorkflowStep } from '../document/workflow-document.ts';
import { goThroughLoop, reachLoop } from './advance-loop.ts';
import type { RunChanges } from './run-changes.ts';

/** Goes on from what was settled last to the next step that is to be done, or to the end of the run. */
export function advance(changes: RunChanges): void {
  if (goThroughLoop(changes)) return;
  for (const step of stepsLeft(changes)) {
    if (reach(changes, step)) return;
  }
  changes.record('RunCompleted', {});
}

function stepsLeft({ definition, state }: RunChanges): readonly WorkflowStep[] {
  const steps = ownSteps(definition);
  return steps.slice(steps.findIndex(({ id }) => id === state.settled) + 1);
}

/** Whether the run has to wait at the step, or the decision ends there because it is refused for its length. */
function reach(changes: RunChanges, step: WorkflowStep): boolean {
  if (changes.isTooLong) return true;
  if (!evaluateCondition(step.runCondition, changes.state.context)) {
    changes.record('StepSkipped', { stepId: step.id, reason: 'CONDITION_FALSE' });
    return false;
  }
  if (step.type === 'loop') return reachLoop(changes, step);
  changes.record('StepOffered', { stepId: step.id });
  return true;
}
