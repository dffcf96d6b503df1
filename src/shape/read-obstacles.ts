import { blankInstance } from './blank-instance.ts';
import type { ObjectShape } from './shape.ts';
import { hasOwnNames, hasStrategy } from './transformer-metadata.ts';
import type { ValidationReader, ValidationRecord } from './validation-metadata.ts';

const RECORD_TYPES = new Set([
  'customValidation',
  'nestedValidation',
  'conditionalValidation',
  'whitelistValidation',
  'isDefined',
]);

/**
 * Why instances of a class can only be made and validated by the libraries themselves: the end of a sentence
 * about the class or the property. Undefined when nothing stands in the way.
 */
export function readObstacle(shape: ObjectShape, reader: ValidationReader): string | undefined {
  const { id: target, properties } = shape;
  if (hasOwnNames(target) || hasStrategy(target)) return 'has @Expose or @Exclude';
  const record = reader.recordsOf(target).find((one) => recordObstacle(one) !== undefined);
  if (record !== undefined) return `.${record.propertyName} ${recordObstacle(record) ?? ''}`;
  const blank = blankInstance(target);
  if (blank === undefined || Object.getPrototypeOf(blank) !== target.prototype) {
    return 'has a constructor that gives something else';
  }
  const odd = properties.find(({ property }) => !isOrdinary(blank, property));
  if (odd !== undefined) return `.${odd.property} is not an ordinary property`;
  const isAsync = properties.find(({ constraints }) => constraints.some((one) => one.isAsync));
  return isAsync === undefined ? undefined : `.${isAsync.property} has an asynchronous validator`;
}

function recordObstacle({ type, groups = [], always, target }: ValidationRecord): string | undefined {
  if (!RECORD_TYPES.has(type)) return `has a validation of type "${type}"`;
  if (typeof target !== 'function') return 'is validated by a schema';
  return groups.length > 0 || always !== undefined ? 'has validation groups' : undefined;
}

/**
 * class-transformer leaves out methods and read-only accessors, and a setter decides itself what is kept. An
 * object with a function `then` is a promise to it.
 */
function isOrdinary(blank: object, property: string): boolean {
  if (property === 'then' || property in (Object.getPrototypeOf(blank) as object)) return false;
  const descriptor = Object.getOwnPropertyDescriptor(blank, property);
  if (descriptor === undefined) return Object.isExtensible(blank);
  const initial: unknown = descriptor.value;
  return descriptor.writable === true && descriptor.enumerable === true && typeof initial !== 'function';
}
