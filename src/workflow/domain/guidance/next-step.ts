import type { WorkflowContext } from '../conditions/condition.ts';
import { ownSteps } from '../document/steps-of.ts';
import type { PlainStep, WorkflowDocument } from '../document/workflow-document.ts';
import type { NextStep } from './next-step-result.ts';
import { nextInLoop } from './next-in-loop.ts';
import { promptOf, type LoopPosition } from './prompt-of.ts';
import { StepSearch } from './step-search.ts';

const ALL_DONE = 'All steps of this workflow are complete.';

/**
 * The first step in document order that is not completed and whose condition holds. Nothing is remembered between
 * calls: what a loop has done is read from `completedSteps`, where its body steps stand as `<id>@<iteration>`.
 *
 * @throws WorkflowError `STATE_ERROR` where loops go round and round with nothing to do
 */
export function nextStep(
  definition: WorkflowDocument,
  completedSteps: readonly string[],
  context: WorkflowContext,
): NextStep {
  const search = new StepSearch(completedSteps, context);
  const warnings: string[] = [];
  for (const step of ownSteps(definition)) {
    if (search.completed.has(step.id)) continue;
    if (step.type === undefined) {
      if (search.holds(step.runCondition)) return offer(step, warnings);
      continue;
    }
    const { found, warning } = nextInLoop(definition, step, search);
    if (found !== undefined) return offer(found.step, warnings, found.position);
    if (warning !== undefined) warnings.push(warning);
  }
  return { step: null, guidance: guidanceOf(ALL_DONE, warnings), isComplete: true };
}

function offer(step: PlainStep, warnings: readonly string[], position?: LoopPosition): NextStep {
  return {
    step: position === undefined ? step : { ...step, iteration: position.iteration },
    guidance: guidanceOf(promptOf(step, position), warnings),
    isComplete: false,
  };
}

function guidanceOf(prompt: string, warnings: readonly string[]): NextStep['guidance'] {
  return warnings.length === 0 ? { prompt } : { prompt, warnings };
}
