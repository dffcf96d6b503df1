import { constraintPhrase } from './constraint-phrase.ts';
import { hardenValidator } from './harden-validator.ts';
import type { Constraint } from './shape.ts';
import { validatorsOf, type ValidationRecord } from './validation-metadata.ts';
import type { ValidatorRecord } from './validator-record.ts';
import { validatorType } from './validator-types.ts';

/** The validators of one property, in the order in which they run. */
export function readConstraints(records: readonly ValidationRecord[]): readonly Constraint[] {
  return Object.freeze(
    records.flatMap((record) =>
      validatorsOf(record).map((validator) => readConstraint(record, validator, records)),
    ),
  );
}

function readConstraint(
  record: ValidationRecord,
  validator: ValidatorRecord,
  neighbours: readonly ValidationRecord[],
): Constraint {
  const args = Object.freeze([...(record.constraints ?? [])]);
  const name = validator.name === '' ? (record.name ?? '') : validator.name;
  const isBuiltIn = record.name === name && validatorType(name, args) !== undefined;
  if (isBuiltIn && validator.madeFor !== undefined) {
    hardenValidator(name, validator.madeFor, record, neighbours);
  }
  let phrase: string | undefined;
  return Object.freeze({
    name,
    args,
    each: record.each === true,
    isConditional: record.validateIf !== undefined,
    condition: record.validateIf,
    isBuiltIn,
    isAsync: validator.async || isAsyncFunction(validator),
    declaredOn: record.target,
    get phrase() {
      return (phrase ??= constraintPhrase(record, validator, isBuiltIn));
    },
    validate: (value: unknown, object: object, whole: unknown = value) =>
      validator.current.validate(value, {
        targetName: object.constructor.name,
        property: record.propertyName,
        object,
        value: whole,
        constraints: record.constraints,
      }),
  });
}

function isAsyncFunction(validator: ValidatorRecord): boolean {
  try {
    return validator.instance.validate.constructor.name === 'AsyncFunction';
  } catch {
    // it comes from a container that is not ready yet
    return true;
  }
}
