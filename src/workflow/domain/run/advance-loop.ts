import { evaluateIn } from '../conditions/evaluate-condition.ts';
import { findStep } from '../document/find-step.ts';
import { bodyOf } from '../document/steps-of.ts';
import type { LoopStep, PlainStep } from '../document/workflow-document.ts';
import { beginsIteration, loopVariables, planLoop } from '../guidance/loop-plan.ts';
import { needsConfirmation } from './needs-confirmation.ts';
import { requestConfirmation } from './request-confirmation.ts';
import type { RunChanges } from './run-changes.ts';
import type { RunReason } from './run-event.ts';
import type { LoopState } from './run-state.ts';

/** Starts a loop, and says whether the run has to wait in it. */
export function reachLoop(changes: RunChanges, step: LoopStep): boolean {
  const { context } = changes.state;
  const { reason, ...plan } = planLoop(step.loop, context);
  changes.record('LoopStarted', { stepId: step.id, ...plan });
  if (reason !== undefined) return endLoop(changes, step, reason, 0);
  const begins = beginsIteration(step.loop, 1, plan, context) === true;
  if (begins && needsConfirmation(step, [context])) {
    requestConfirmation(changes, { stepId: step.id });
    return true;
  }
  return goThroughLoop(changes);
}

/** Goes on within the open loop, if there is one, and says whether the run has to wait in it. */
export function goThroughLoop(changes: RunChanges): boolean {
  const { definition, state } = changes;
  const step = state.loop === null ? undefined : findStep(definition, state.loop.stepId);
  if (step?.type !== 'loop') return false;
  const body = bodyOf(definition, step);
  // Ends by maxIterations at the latest, or when the decision is refused for its length
  for (let { loop } = state; loop !== null; loop = changes.state.loop) {
    if (changes.isTooLong || (loop.iteration > 0 && reachBody(changes, step, body, loop))) return true;
    const iteration = loop.iteration + 1;
    const begins = beginsIteration(step.loop, iteration, loop, changes.state.context);
    if (begins !== true) return endLoop(changes, step, begins, loop.iteration);
    changes.record('LoopIterationStarted', { stepId: step.id, iteration });
  }
  return false;
}

function reachBody(
  changes: RunChanges,
  { loop }: LoopStep,
  body: readonly PlainStep[],
  { iteration, items, settled }: LoopState,
): boolean {
  const scope = [loopVariables(loop, iteration, items), changes.state.context];
  for (const { id: stepId, runCondition } of body.slice(body.findIndex(({ id }) => id === settled) + 1)) {
    if (evaluateIn(runCondition, scope)) {
      changes.record('StepOffered', { stepId, iteration });
      return true;
    }
    changes.record('StepSkipped', { stepId, iteration, reason: 'CONDITION_FALSE' });
  }
  return false;
}

function endLoop(changes: RunChanges, { id }: LoopStep, reason: RunReason, iterations: number): false {
  changes.record('LoopEnded', { stepId: id, reason, iterations });
  return false;
}
