import type { Class } from '../../shared/class-type.ts';
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
 * True if the validators reject a value, as class-validator would for one property.
 * An asynchronous answer, or one that depends on the validator's own condition, counts as acceptance.
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

/** Runs one validator on a value or on each of its items; if it throws, the value is rejected. */
export function refusesValue(constraint: Constraint, value: unknown, object: object): boolean {
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

const NONE: readonly never[] = Object.freeze([]);

type Test = (object: object, value: unknown) => unknown;

// Before 0.14.2 class-validator gave the condition of @IsOptional no name, only this text.
const NAMELESS_OPTIONAL = 'object[propertyName] !== null && object[propertyName] !== undefined';

/** `@IsOptional` and `@ValidateIf` of one property. */
export function readConditions(records: readonly ValidationRecord[]): readonly Condition[] {
  const found = records.filter(({ type }) => type === 'conditionalValidation');
  return found.length === 0 ? NONE : Object.freeze(found.map(readCondition));
}

function readCondition({ name, constraints, propertyName: property }: ValidationRecord): Condition {
  const original = constraints?.[0] as Test;
  const isOptional =
    name === 'isOptional' || (name === undefined && String(original).includes(NAMELESS_OPTIONAL));
  return Object.freeze({
    kind: isOptional ? 'optional' : 'validateIf',
    original,
    dependsOnOthers: !isOptional && readsOthers(original, property),
    test: (value: unknown, object: object) => {
      // the condition of @IsOptional reads the property of the object, not the value, and no other one
      const asked = isOptional ? { [property]: value } : withValue(object, property, value);
      return Boolean(original(asked, value));
    },
  });
}

function withValue(object: object, property: string, value: unknown): object {
  const copy = Object.create(Object.getPrototypeOf(object) as object | null) as object;
  return Object.assign(copy, object, { [property]: value });
}

/** Watches which properties a condition reads; one that looks at others cannot be checked alone. */
function readsOthers(test: Test, property: string): boolean {
  let others = false;
  const watched = new Proxy<object>(
    {},
    {
      get: (_, name) => {
        if (name !== property) others = true;
        return undefined;
      },
      has: (_, name) => {
        if (name !== property) others = true;
        return false;
      },
      ownKeys: () => {
        others = true;
        return [];
      },
    },
  );
  for (const value of [undefined, null, '', 'a', 0, 1]) {
    try {
      test(watched, value);
    } catch {
      // the condition reads into an absent property; the other values may still show it
    }
  }
  return others;
}
