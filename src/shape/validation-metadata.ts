import { getMetadataStorage } from 'class-validator';
import { classChain } from '../metadata/record-store.ts';
import type { Class } from '../shared/class-type.ts';

/** One use of a class-validator decorator, as its storage keeps it. */
export interface ValidationRecord {
  readonly type: string;
  readonly name?: string | undefined;
  readonly target: Class;
  readonly propertyName: string;
  readonly constraints?: readonly unknown[] | undefined;
  readonly constraintCls?: Class | undefined;
  readonly message?: unknown;
  readonly each?: boolean | undefined;
  readonly validateIf?: ((object: object, value: unknown) => boolean) | undefined;
}

export interface ValidatorInstance {
  validate(value: unknown, args: object): unknown;
  defaultMessage?(args: object): string;
}

/** What stands behind one validator: its name and, lazily, the instance. */
export interface ValidatorRecord {
  readonly name: string;
  readonly async: boolean;
  readonly instance: ValidatorInstance;
}

/** The records that count for a class: its own, and the inherited ones that it does not replace. */
export function validationRecords(target: Class): readonly ValidationRecord[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(target, '', false, false)
    .filter((record) => typeof record.propertyName === 'string') as unknown as readonly ValidationRecord[];
}

export function ownValidationRecords(target: Class): readonly ValidationRecord[] {
  return validationRecords(target).filter((record) => record.target === target);
}

export function validatorsOf(record: ValidationRecord): readonly ValidatorRecord[] {
  if (record.constraintCls === undefined) return [];
  return getMetadataStorage().getTargetValidatorConstraints(
    record.constraintCls,
  ) as unknown as readonly ValidatorRecord[];
}

/** Property names in the order of declaration, the outermost base class first. */
export function validatedProperties(target: Class): readonly string[] {
  const chain = [...classChain(target)].reverse();
  return [...new Set(chain.flatMap(ownValidationRecords).map((record) => record.propertyName))];
}

/** True when the class or one of its base classes has a validation decorator. */
export function isDto(target: Class): boolean {
  return validationRecords(target).length > 0;
}
