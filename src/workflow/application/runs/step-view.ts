import { findStep, type WorkflowDefinition } from '../../domain/document/workflow-document.ts';
import { promptOf } from '../../domain/guidance/next-step.ts';
import { conditionScope, needsConfirmation } from '../../domain/run/advance.ts';
import { refOf, type RunState } from '../../domain/run/run-state.ts';
import type { RunStepView } from './run-view.ts';

/** The open step as the caller sees it. A loop has no prompt: while it is asked about, its title is all there is. */
export function stepView(state: RunState, definition: WorkflowDefinition): RunStepView | null {
  const { current, loop, confirmation } = state;
  const step = current === null ? undefined : findStep(definition, current.stepId);
  if (current === null || step === undefined) return null;
  const { iteration } = refOf(current);
  const position = iteration === undefined ? undefined : { iteration, ...totalOf(loop?.total) };
  return {
    id: step.id,
    title: step.title,
    prompt: step.type === 'loop' ? step.title : promptOf(step, position),
    askForFiles: step.type === 'loop' ? false : (step.askForFiles ?? false),
    requireConfirmation: confirmation !== null || needsConfirmation(step, conditionScope(state, definition)),
    ...(iteration !== undefined && { iteration }),
  };
}

function totalOf(total: number | undefined): { readonly total?: number } {
  return total === undefined ? {} : { total };
}
