import { createSchemaValidator } from '../../../formats/index.ts';
import type { WorkflowContext } from '../conditions/condition.ts';
import { CriteriaCache } from './criteria-cache.ts';
import { failureOf, resultOf, type Failure } from './failure-result.ts';
import { judgeCriteria } from './judge-criteria.ts';
import { OutputSubject } from './output-subject.ts';
import type { OutputValidator } from './output-validator.ts';
import { PatternCache } from './compile-pattern.ts';
import type { ValidationCriteria } from './validation-criteria.ts';
import type { ValidationResult } from './validation-result.ts';

const EMPTY_OUTPUT: Failure = Object.freeze({
  detail: Object.freeze({ code: 'EMPTY_OUTPUT', path: '', message: 'output must not be empty' }),
  suggestions: Object.freeze(['Give the output of this step as text with at least one visible character.']),
});

/**
 * Judges outputs by validation criteria. It keeps the 500 schemas and the 500 regular expressions that were used
 * last, and criteria that are deeply frozen as long as they live.
 *
 * @example
 * const engine = new ValidationEngine();
 * const criteria = [{ type: 'contains', value: 'DONE', message: '' }] as const;
 * const { valid, issues } = await engine.validate('work in progress', criteria);
 * // false, ['output must contain "DONE"']
 */
export class ValidationEngine implements OutputValidator {
  readonly #criteria = new CriteriaCache({
    patterns: new PatternCache(),
    schemas: createSchemaValidator(),
  });

  async validate(
    output: unknown,
    criteria?: ValidationCriteria | null,
    context: WorkflowContext = {},
  ): Promise<ValidationResult> {
    const plan = this.#criteria.compile(criteria);
    if (typeof output !== 'string') return resultOf([EMPTY_OUTPUT]);
    if (plan === undefined) return resultOf(output.trim() === '' ? [EMPTY_OUTPUT] : []);
    return resultOf(judgeCriteria(plan, new OutputSubject(output), context).map(failureOf));
  }
}
