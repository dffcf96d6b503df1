import { evaluateIn } from '../conditions/evaluate-condition.ts';
import type { Scope } from '../conditions/scope.ts';
import type { WorkflowStep } from '../document/workflow-document.ts';

/** Whether a user has to agree to a step. */
export function needsConfirmation({ requireConfirmation = false }: WorkflowStep, scope: Scope): boolean {
  return typeof requireConfirmation === 'boolean'
    ? requireConfirmation
    : evaluateIn(requireConfirmation, scope);
}
