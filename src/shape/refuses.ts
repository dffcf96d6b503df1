import type { Class } from '../shared/class-type.ts';
import { readConditions } from './read-conditions.ts';
import { readConstraints } from './read-constraints.ts';
import type { Condition, Constraint } from './shape.ts';
import type { ValidationReader, ValidationRecord } from './validation-metadata.ts';

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
export function refuses(
  rules: PropertyRules,
  value: unknown,
  object: object,
  reader: ValidationReader,
): boolean {
  if (rules.conditions.some((condition) => isOff(condition, value, object))) return false;
  if (rules.constraints.some((constraint) => refusesValue(constraint, value, object))) return true;
  return rules.isNested && value !== undefined && refusesNested(value, reader);
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

function refusesNested(value: unknown, reader: ValidationReader): boolean {
  if (Array.isArray(value)) return value.some((item) => refusesNested(item, reader));
  if (value instanceof Map || value instanceof Set)
    return [...value.values()].some((item) => refusesNested(item, reader));
  return typeof value === 'object' && value !== null ? refusesInstance(value, reader) : true;
}

function refusesInstance(instance: object, reader: ValidationReader): boolean {
  const target = instance.constructor as Class;
  const records = reader.recordsOf(target);
  if (records.length === 0) return true;
  const names = new Set(records.map((record) => record.propertyName));
  return [...names].some((name) =>
    refuses(
      readRules(reader.propertyRecords(target, name)),
      (instance as Record<string, unknown>)[name],
      instance,
      reader,
    ),
  );
}
