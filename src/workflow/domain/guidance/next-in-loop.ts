import type { Scope } from '../conditions/scope.ts';
import { bodyOf } from '../document/steps-of.ts';
import type { LoopStep, PlainStep, WorkflowDocument } from '../document/workflow-document.ts';
import { lastBegun } from './begun-iterations.ts';
import { beginsIteration, loopVariables, planLoop, type LoopPlan } from './loop-plan.ts';
import type { LoopPosition } from './prompt-of.ts';
import type { StepSearch } from './step-search.ts';

/** What a loop has to offer, or how it ended. */
export interface LoopSearch {
  readonly found?: { readonly step: PlainStep; readonly position: LoopPosition };
  /** Why it ended before it should have; begins with the reason. */
  readonly warning?: string;
}

/** The first step of a loop, iteration by iteration, that is not completed and whose condition holds. */
export function nextInLoop(definition: WorkflowDocument, step: LoopStep, search: StepSearch): LoopSearch {
  const { context } = search;
  const body = bodyOf(definition, step);
  const begun = lastBegun(body, search.iterations, step.loop.maxIterations);
  if (begun === 0 && !search.holds(step.runCondition)) return {};
  const plan = planLoop(step.loop, context);
  for (let iteration = 1; ; iteration += 1) {
    // What was begun is finished first: until then, nobody asks whether the loop goes on
    const outcome = iteration <= begun || beginsIteration(step.loop, iteration, plan, context);
    if (outcome !== true) return warningOf(step, plan.reason ?? outcome);
    const scope = [loopVariables(step.loop, iteration, plan.items), context];
    const found = nextInIteration(body, iteration, search, scope);
    if (found !== undefined) return { found: { step: found, position: positionOf(plan, iteration) } };
  }
}

function nextInIteration(
  body: readonly PlainStep[],
  iteration: number,
  search: StepSearch,
  scope: Scope,
): PlainStep | undefined {
  return body.find(
    ({ id, runCondition }) =>
      !search.completed.has(`${id}@${iteration}`) && search.holds(runCondition, scope),
  );
}

function positionOf({ total }: LoopPlan, iteration: number): LoopPosition {
  return total === undefined ? { iteration } : { iteration, total };
}

function warningOf(
  { id, loop }: LoopStep,
  reason: 'LOOP_DONE' | 'LOOP_LIMIT' | 'LOOP_INPUT_INVALID',
): LoopSearch {
  switch (reason) {
    case 'LOOP_DONE':
      return {};
    case 'LOOP_LIMIT':
      return {
        warning: `LOOP_LIMIT: the loop "${id}" ended after ${loop.maxIterations} iterations, its most, and would have gone on.`,
      };
    case 'LOOP_INPUT_INVALID':
      return { warning: `LOOP_INPUT_INVALID: the loop "${id}" had no iteration: ${inputOf(loop)}.` };
  }
}

function inputOf(loop: LoopStep['loop']): string {
  if (loop.type === 'forEach') return `the variable "${loop.items}" is no array`;
  const what = loop.type === 'for' ? `its count, ${JSON.stringify(loop.count)},` : 'its input';
  return `${what} is no whole number from 0 on`;
}
