import * as classValidator from 'class-validator';
import { hardenValidator } from './harden-validator.ts';
import type { Constraint, ScalarType } from './shape.ts';
import {
  validatorsOf,
  type ValidationRecord,
  type ValidatorInstance,
  type ValidatorRecord,
} from './validation-metadata.ts';

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
  return Object.freeze(new ReadConstraint({ name, args, isBuiltIn }, record, validator));
}

/** A class, because an application has thousands of them: they share what they do. */
class ReadConstraint implements Constraint {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly each: boolean;
  readonly isConditional: boolean;
  readonly isBuiltIn: boolean;
  readonly isAsync: boolean;
  readonly #record: ValidationRecord;
  readonly #validator: ValidatorRecord;
  #phrase: string | undefined;

  constructor(
    { name, args, isBuiltIn }: Pick<Constraint, 'name' | 'args' | 'isBuiltIn'>,
    record: ValidationRecord,
    validator: ValidatorRecord,
  ) {
    this.name = name;
    this.args = args;
    this.isBuiltIn = isBuiltIn;
    this.each = record.each === true;
    this.isConditional = record.validateIf !== undefined;
    this.isAsync = validator.async || isAsyncFunction(validator);
    this.#record = record;
    this.#validator = validator;
  }

  get condition(): Constraint['condition'] {
    return this.#record.validateIf;
  }

  get phrase(): string {
    return (this.#phrase ??= constraintPhrase(this.#record, this.#validator, this.isBuiltIn));
  }

  validate(value: unknown, object: object, whole: unknown = value): unknown {
    const { propertyName: property, constraints } = this.#record;
    const targetName = object.constructor.name;
    return this.#validator
      .current()
      .validate(value, { targetName, property, object, value: whole, constraints });
  }
}

function isAsyncFunction(validator: ValidatorRecord): boolean {
  try {
    const made = validator.madeFor?.prototype as ValidatorInstance | undefined;
    return (made ?? validator.instance()).validate.constructor.name === 'AsyncFunction';
  } catch {
    // it comes from a container that is not ready yet
    return true;
  }
}

/** A rule in words, made of the validator's own message: `must be an IBAN`. */
function constraintPhrase(record: ValidationRecord, validator: ValidatorRecord, isBuiltIn: boolean): string {
  const args = record.constraints ?? [];
  const own = message(() => validator.instance().defaultMessage?.(messageArguments(record)), args);
  if (isBuiltIn && own !== '') return own;
  const name = validator.name === '' ? 'a custom validator' : validator.name;
  const custom = message(() => textOf(record), args) || own;
  return custom === '' ? `is also checked by ${name}` : `is also checked by ${name}: ${custom}`;
}

function textOf(record: ValidationRecord): unknown {
  const { message: text } = record;
  return typeof text === 'function' ? (text as (args: object) => unknown)(messageArguments(record)) : text;
}

function messageArguments(record: ValidationRecord): object {
  const { target, propertyName: property, constraints = [] } = record;
  return { targetName: target.name, property, object: {}, value: undefined, constraints };
}

function message(read: () => unknown, args: readonly unknown[]): string {
  let text: unknown;
  try {
    text = read();
  } catch {
    // a message that needs a value does not describe the rule
    return '';
  }
  if (typeof text !== 'string') return '';
  return text
    .replace(/each value in /g, '')
    .replace(/\$constraint(\d+)/g, (_, index: string) => quote(args[Number(index) - 1]))
    .replace(/\$property ?/g, '')
    .replace(/\$(value|target) ?/g, '')
    .trim();
}

function quote(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

/** The validators of class-validator that take one type of value and are not about texts, as most are. */
const TYPED: Readonly<Record<Exclude<ScalarType, 'any' | 'string'>, readonly string[]>> = {
  number: [
    ...['isNumber', 'min', 'max', 'isPositive', 'isNegative', 'isDivisibleBy'],
    ...['isLatitude', 'isLongitude'],
  ],
  integer: ['isInt'],
  boolean: ['isBoolean'],
  object: ['isObject', 'isNotEmptyObject'],
  date: ['isDate', 'minDate', 'maxDate'],
  array: [
    ...['isArray', 'arrayContains', 'arrayNotContains', 'arrayNotEmpty', 'arrayMinSize', 'arrayMaxSize'],
    'arrayUnique',
  ],
};
const UNTYPED = [
  ...['isDefined', 'isNotEmpty', 'isEmpty', 'equals', 'notEquals', 'isIn', 'isNotIn', 'isEnum'],
  'isInstance',
];

const types: ReadonlyMap<unknown, ScalarType> = new Map([
  // class-validator exports the names of its validators: `IS_EMAIL` is 'isEmail'
  ...Object.values<unknown>(classValidator).map((name) => [name, 'string'] as const),
  ...Object.entries(TYPED).flatMap(([type, names]) =>
    names.map((name) => [name, type as ScalarType] as const),
  ),
  ...UNTYPED.map((name) => [name, 'any'] as const),
]);

/** The one JSON type that a validator of class-validator accepts; undefined for all other validators. */
export function validatorType(name: string, args: readonly unknown[]): ScalarType | undefined {
  const options = args[0] as { maxDecimalPlaces?: unknown } | undefined;
  if (name === 'isNumber' && options?.maxDecimalPlaces === 0) return 'integer';
  return types.get(name);
}

/** The narrowest type that the validators share; of contradicting ones the first counts. */
export function jsonType(constraints: readonly Constraint[]): ScalarType | undefined {
  let first: ScalarType | undefined;
  for (const { name, args, isBuiltIn, isConditional } of constraints) {
    if (!isBuiltIn || isConditional) continue;
    const type = validatorType(name, args);
    if (type === undefined || type === 'any') continue;
    if (first === undefined) first = type;
    else if (first === 'number' && type === 'integer') return 'integer';
  }
  return first;
}
