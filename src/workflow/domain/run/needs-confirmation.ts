import type { WorkflowContext } from '../conditions/condition.ts';
import { evaluateCondition } from '../conditions/evaluate-condition.ts';
import type { WorkflowStep } from '../document/workflow-document.ts';

/** Whether a user has to agree to a step. */
export function needsConfirmation(
  { requireConfirmation = false }: WorkflowStep,
  scope: WorkflowContext,
): boolean {
  return typeof requireConfirmation === 'boolean'
    ? requireConfirmation
    : evaluateCondition(requireConfirmation, scope);
}
