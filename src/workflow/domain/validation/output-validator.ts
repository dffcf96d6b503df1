import type { WorkflowContext } from '../conditions/condition.ts';
import type { ValidationCriteria } from './validation-criteria.ts';
import type { ValidationResult } from './validation-result.ts';

/** Judges outputs by criteria; the ValidationEngine is one. */
export interface OutputValidator {
  /** @throws InvalidCriteriaError for criteria that are malformed anywhere. */
  validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context?: WorkflowContext,
  ): Promise<ValidationResult>;
}
