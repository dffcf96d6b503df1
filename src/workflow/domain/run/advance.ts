import { evaluateCondition, evaluateIn } from '../conditions/evaluate-condition.ts';
import {
  ownSteps,
  type WorkflowStep,
  findStep,
  bodyOf,
  type LoopStep,
  type PlainStep,
  type WorkflowDefinition,
} from '../document/workflow-document.ts';
import type { RunChanges } from './evolve.ts';
import type { WorkflowContext, Scope } from '../conditions/condition.ts';
import { refOf, type LoopState, type RunState, type RunReason, type StepRef } from './run-state.ts';
import { beginsIteration, loopVariables, planLoop } from '../guidance/loop-plan.ts';

/** Moves on from the last settled step to the next step to run, or to the end of the run. */
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

/** Whether to stop at the step: it is now open, or the decision is too long and will be refused. */
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

/** Settles the open step, merges the context that came with it, and moves on. */
export function completeStep(changes: RunChanges, context: WorkflowContext | undefined | null): void {
  const { current, loop } = changes.state;
  // Confirming a loop does not complete it: its iterations follow
  const isLoop = loop !== null && current?.stepId === loop.stepId;
  if (current !== null && !isLoop) changes.record('StepCompleted', refOf(current));
  if (hasMembers(context)) changes.record('ContextMerged', { context });
  advance(changes);
}

/** Whether there is anything to merge. */
export function hasMembers(context: WorkflowContext | undefined | null): context is WorkflowContext {
  return context !== undefined && context !== null && Object.keys(context).length > 0;
}

/** Starts a loop; returns whether the run must wait in it. */
function reachLoop(changes: RunChanges, step: LoopStep): boolean {
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

/** Continues the open loop, if any; returns whether the run must wait in it. */
function goThroughLoop(changes: RunChanges): boolean {
  const { definition, state } = changes;
  const step = state.loop === null ? undefined : findStep(definition, state.loop.stepId);
  if (step?.type !== 'loop') return false;
  const body = bodyOf(definition, step);
  // Ends at maxIterations at the latest, or when the decision becomes too long
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

/**
 * The scope for the conditions and rules of the open step: the variables of its loop shadow the context that came
 * with the output, which shadows the context of the run.
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

/** Whether a user must confirm a step. */
export function needsConfirmation({ requireConfirmation = false }: WorkflowStep, scope: Scope): boolean {
  return typeof requireConfirmation === 'boolean'
    ? requireConfirmation
    : evaluateIn(requireConfirmation, scope);
}

/** Makes the run wait for a user. */
export function requestConfirmation(changes: RunChanges, step: StepRef): void {
  const expiresAt = new Date(Date.parse(changes.at) + changes.limits.confirmationTtl).toISOString();
  changes.record('ConfirmationRequested', { ...step, expiresAt });
}
