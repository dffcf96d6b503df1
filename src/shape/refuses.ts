import type { Class } from '../shared/class-type.ts';
import { readConditions } from './read-conditions.ts';
import { readConstraints } from './read-constraints.ts';
import type { Condition, Constraint } from './shape.ts';
import { validationRecords, type ValidationRecord } from './validation-metadata.ts';

/** The rules of one property. */
export interface PropertyRules {
  readonly constraints: readonly Constraint[];
  readonly conditions: readonly Condition[];
  readonly isNested: boolean;
}

export function readRules(records: readonly ValidationRecord[]): PropertyRules {
  return {
    constraints: readConstraints(records),
    conditions: readConditions(records),
    isNested: records.some(({ type }) => type === 'nestedValidation'),
  };
}

/**
 * Asks the validators whether they refuse a value: what class-validator would answer for one property.
 * An answer that comes later, or only under the validator's own condition, counts as acceptance.
 */
export function refuses(rules: PropertyRules, value: unknown, object: object): boolean {
  if (rules.conditions.some((condition) => isOff(condition, value, object))) return false;
  if (rules.constraints.some((constraint) => refusesValue(constraint, value, object))) return true;
  return rules.isNested && value !== undefined && refusesNested(value);
}

/** True when a condition keeps a value from being validated. */
export function isOff(condition: Condition, value: unknown, object: object): boolean {
  try {
    return !condition.test(value, object);
  } catch {
    return false;
  }
}

function refusesValue(constraint: Constraint, value: unknown, object: object): boolean {
  if (constraint.isConditional || constraint.isAsync) return false;
  const values: readonly unknown[] = constraint.each && Array.isArray(value) ? value : [value];
  return values.some((one) => {
    try {
      return isRefusal(constraint.validate(one, object));
    } catch {
      return true;
    }
  });
}

function isRefusal(answer: unknown): boolean {
  if (!(answer instanceof Promise)) return !answer;
  answer.catch(() => undefined);
  return false;
}

function refusesNested(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => refusesNested(item));
  if (value instanceof Map || value instanceof Set)
    return [...value.values()].some((item) => refusesNested(item));
  return typeof value === 'object' && value !== null ? refusesInstance(value) : true;
}

function refusesInstance(instance: object): boolean {
  const records = validationRecords(instance.constructor as Class);
  if (records.length === 0) return true;
  const names = new Set(records.map((record) => record.propertyName));
  return [...names].some((name) =>
    refuses(
      readRules(records.filter((record) => record.propertyName === name)),
      (instance as Record<string, unknown>)[name],
      instance,
    ),
  );
}
