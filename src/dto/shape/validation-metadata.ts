import { getMetadataStorage } from 'class-validator';
import { classChain, ownRecords } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';

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
  readonly groups?: readonly string[] | undefined;
  readonly always?: boolean | undefined;
  readonly validateIf?: ((object: object, value: unknown) => boolean) | undefined;
}

/**
 * Reads the validation records of classes, those of each class once. It lives for one pass only, because
 * decorators may add records later.
 */
export interface ValidationReader {
  /** The records that count for a class: its own, and the inherited ones that it does not replace. */
  readonly recordsOf: (target: Class) => readonly ValidationRecord[];
  readonly ownRecordsOf: (target: Class) => readonly ValidationRecord[];
  readonly propertyRecords: (target: Class, property: string) => readonly ValidationRecord[];
  /** Property names in the order of declaration, the outermost base class first. */
  readonly propertiesOf: (target: Class) => readonly string[];
}

interface ClassRecords {
  readonly all: readonly ValidationRecord[];
  readonly byProperty: ReadonlyMap<string, readonly ValidationRecord[]>;
}

export function createValidationReader(): ValidationReader {
  const known = new Map<Class, ClassRecords>();
  const properties = new Map<Class, readonly string[]>();
  const read = (target: Class): ClassRecords => {
    const records = known.get(target) ?? readRecords(target);
    known.set(target, records);
    return records;
  };
  const ownRecordsOf = (target: Class): readonly ValidationRecord[] =>
    read(target).all.filter((record) => record.target === target);
  return Object.freeze({
    recordsOf: (target: Class) => read(target).all,
    ownRecordsOf,
    propertyRecords: (target: Class, property: string) => read(target).byProperty.get(property) ?? [],
    propertiesOf: (target: Class) => {
      const names = properties.get(target) ?? readProperties(target, ownRecordsOf);
      properties.set(target, names);
      return names;
    },
  });
}

function readProperties(target: Class, ownRecordsOf: ValidationReader['ownRecordsOf']): readonly string[] {
  const names = new Set<string>();
  for (const type of [...classChain(target)].reverse()) {
    for (const { propertyName } of ownRecordsOf(type)) names.add(propertyName);
  }
  return [...names];
}

function readRecords(target: Class): ClassRecords {
  const all = recordsInStorage(target).filter((record) => typeof record.propertyName === 'string');
  const byProperty = new Map<string, ValidationRecord[]>();
  for (const record of all) {
    const known = byProperty.get(record.propertyName);
    if (known === undefined) byProperty.set(record.propertyName, [record]);
    else known.push(record);
  }
  return { all, byProperty };
}

/**
 * The records by class are private to class-validator, and its public method walks all classes it knows: an
 * application of a thousand DTOs would take seconds to start. If they are not found, that method is used.
 */
function recordsInStorage(target: Class): readonly ValidationRecord[] {
  const storage = getMetadataStorage();
  const { validationMetadatas: byClass } = storage as unknown as { readonly validationMetadatas?: unknown };
  if (!(byClass instanceof Map)) {
    const records: unknown = storage.getTargetValidationMetadatas(target, '', false, false);
    return records as readonly ValidationRecord[];
  }
  const [own = [], ...inherited] = classChain(target).map(
    (type) => (byClass as ReadonlyMap<unknown, readonly ValidationRecord[]>).get(type) ?? [],
  );
  const isReplaced = ({ propertyName, type }: ValidationRecord): boolean =>
    own.some((record) => record.propertyName === propertyName && record.type === type);
  return [...own, ...inherited.reverse().flatMap((records) => records.filter((one) => !isReplaced(one)))];
}

export function validatorsOf(record: ValidationRecord): readonly ValidatorRecord[] {
  return storedValidators(record).map((stored) => new ReadValidator(stored));
}

/** True when class-validator knows what a validator of a property runs. */
export function isRegistered(record: ValidationRecord): boolean {
  return storedValidators(record).length > 0;
}

function storedValidators({ constraintCls }: ValidationRecord): readonly StoredValidator[] {
  if (constraintCls === undefined) return [];
  const found = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  return found as unknown as readonly StoredValidator[];
}

/** True when the class or one of its base classes has a validation decorator, or a @Field that lacks one. */
export function isDto(target: Class): boolean {
  return (
    readRecords(target).all.length > 0 ||
    classChain(target).some((type) => ownRecords(type, 'field').length > 0)
  );
}

/** Property names in the order of declaration, the outermost base class first. */
export function validatedProperties(target: Class): readonly string[] {
  return createValidationReader().propertiesOf(target);
}

export interface ValidatorInstance {
  validate(value: unknown, args: object): unknown;
  defaultMessage?(args: object): string;
}

/** A validator, as the storage of class-validator keeps it. */
interface StoredValidator {
  readonly name: string;
  readonly async: boolean;
  readonly instance: ValidatorInstance;
  readonly target: new () => ValidatorInstance;
}

/** The implementation of one validator. */
export interface ValidatorRecord {
  readonly name: string;
  readonly async: boolean;
  /** The class that class-validator made for one use of a decorator; undefined for a class of the user. */
  readonly madeFor: (new () => ValidatorInstance) | undefined;
  /** Made when it is first asked for: it may come from a container that is not ready yet. */
  instance(): ValidatorInstance;
  /** The instance from the container at that moment; class-validator requests it for every value. */
  current(): ValidatorInstance;
}

/**
 * class-validator searches all its instances for every answer. The classes that it creates from given functions do
 * not need a container.
 */
class ReadValidator implements ValidatorRecord {
  readonly name: string;
  readonly async: boolean;
  readonly madeFor: (new () => ValidatorInstance) | undefined;
  readonly #stored: StoredValidator;
  #instance: ValidatorInstance | undefined;

  constructor(stored: StoredValidator) {
    const { name, async, target } = stored;
    this.name = name;
    this.async = async;
    this.madeFor = target.name === 'CustomConstraint' && target.length === 0 ? target : undefined;
    this.#stored = stored;
  }

  instance(): ValidatorInstance {
    return (this.#instance ??= this.madeFor === undefined ? this.#stored.instance : new this.madeFor());
  }

  current(): ValidatorInstance {
    return this.madeFor === undefined ? this.#stored.instance : this.instance();
  }
}
