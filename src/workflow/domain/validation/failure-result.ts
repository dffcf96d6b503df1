import { suggestAlternatives } from './alternatives.ts';
import type { JudgedRule } from './judged-rule.ts';
import type { ValidationDetail, ValidationResult } from './validation-result.ts';

/** A fault with what to do about it. */
export interface Failure {
  readonly detail: ValidationDetail;
  readonly suggestions: readonly string[];
}

/** The result for what is wrong; valid for nothing. */
export function resultOf(failures: readonly Failure[]): ValidationResult {
  return {
    valid: failures.length === 0,
    issues: failures.map(({ detail }) => detail.message),
    suggestions: [
      ...new Set(failures.flatMap(({ suggestions }) => suggestions)),
      ...suggestAlternatives(failures.map(({ detail }) => detail.path)),
    ],
    details: failures.map(({ detail }) => detail),
  };
}

/** A rule that the output passes is a failure where a `not` forbids it. */
export function failureOf({ rule, verdict, fault }: JudgedRule): Failure {
  const { path, ruleType } = rule;
  // The message of a rule tells what an output lacks, which nobody knows of one that was not judged
  const message = verdict === 'unjudged' ? '' : rule.message;
  const { code, text, suggestions, info } = fault ?? { code: 'FORBIDDEN_MATCH', ...rule.forbidden };
  return {
    detail: {
      code,
      path,
      ruleType,
      message: message === '' ? text : message,
      ...(info === undefined ? {} : { info }),
    },
    suggestions,
  };
}
