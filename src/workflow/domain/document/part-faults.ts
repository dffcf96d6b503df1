import { ConditionCheck } from '../conditions/condition-check.ts';
import { InvalidCriteriaError } from '../errors/invalid-criteria-error.ts';
import { isPlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { checkCriteria } from '../validation/check-criteria.ts';
import { createRuleCompiler } from '../validation/rules/create-rule-compiler.ts';
import type { RuleCompiler } from '../validation/rules/rule-kind.ts';
import { documentFault, type DocumentFault } from './document-fault.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { rawStepsOf } from './document-steps.ts';

/** What is wrong within the conditions and the criteria of a document: of criteria, the first fault. */
export function partFaults(document: unknown): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  const compiler = createRuleCompiler();
  for (const { step, path } of rawStepsOf(document)) {
    // More are not told
    if (faults.length > DOCUMENT_LIMITS.faults) break;
    faults.push(
      ...conditionFaults(step.runCondition, pointTo(path, 'runCondition')),
      ...confirmationFaults(step.requireConfirmation, pointTo(path, 'requireConfirmation')),
      ...loopFaults(step.loop, pointTo(path, 'loop')),
      ...criteriaFaults(step.validationCriteria, pointTo(path, 'validationCriteria'), compiler),
    );
  }
  return faults;
}

function conditionFaults(condition: unknown, path: string): readonly DocumentFault[] {
  if (condition === undefined) return [];
  return new ConditionCheck(condition, DOCUMENT_LIMITS.faults + 1).faults.map((fault) =>
    documentFault('INVALID_CONDITION', path + fault.path, fault.what),
  );
}

/** What is no object is no condition that went wrong, but a wrong type. */
function confirmationFaults(value: unknown, path: string): readonly DocumentFault[] {
  return isPlainObject(value) ? conditionFaults(value, path) : [];
}

function loopFaults(loop: unknown, path: string): readonly DocumentFault[] {
  return isPlainObject(loop) ? conditionFaults(loop.condition, pointTo(path, 'condition')) : [];
}

function criteriaFaults(criteria: unknown, path: string, compiler: RuleCompiler): readonly DocumentFault[] {
  if (criteria === undefined) return [];
  try {
    checkCriteria(criteria, path, compiler);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidCriteriaError)) throw error;
    return [documentFault('INVALID_CRITERIA', error.path, `is not valid: ${error.reason}`)];
  }
}
