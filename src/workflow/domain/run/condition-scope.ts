import type { WorkflowContext } from '../conditions/condition.ts';
import type { Scope } from '../conditions/scope.ts';
import { findStep } from '../document/find-step.ts';
import type { WorkflowDefinition } from '../document/workflow-document.ts';
import { loopVariables } from '../guidance/loop-plan.ts';
import type { RunState } from './run-state.ts';

/**
 * What the conditions and rules of the open step look at: the variables of its loop lie over what came with the output,
 * and that over the context.
 */
export function conditionScope(
  { context, loop }: RunState,
  definition: WorkflowDefinition,
  submitted?: WorkflowContext,
): Scope {
  const layers = submitted === undefined ? [context] : [submitted, context];
  const step = loop === null || loop.iteration === 0 ? undefined : findStep(definition, loop.stepId);
  if (loop === null || step?.type !== 'loop') return layers;
  return [loopVariables(step.loop, loop.iteration, loop.items), ...layers];
}
