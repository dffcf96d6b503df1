import type { Class } from '../../shared/class-type.ts';
import { blankInstance } from '../shape/blank-instance.ts';
import type { ObjectShape, PropertyShape, Shape } from '../shape/shape.ts';
import {
  collectionType,
  declaredType,
  hasOwnNames,
  hasStrategy,
  hasTransform,
  isTypeByInput,
} from '../shape/transformer-metadata.ts';
import type { ValidationReader, ValidationRecord } from '../shape/validation-metadata.ts';

/** How class-transformer converts the values of a property. */
export type Conversion =
  | { readonly kind: 'copy'; readonly takesArrays: true }
  | { readonly kind: 'scalar'; readonly type: ScalarClass; readonly takesArrays: boolean }
  | { readonly kind: 'instance'; readonly type: Class; readonly takesArrays: boolean }
  /** Unknown before the call. */
  | { readonly kind: 'open'; readonly reason: string };

export type ScalarClass = StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor;

// class-transformer constructs arrays with the emitted type; these types give an ordinary array.
const ORDINARY: ReadonlySet<unknown> = new Set([undefined, Array, Object]);

/** Reads how a property is converted; the reason of an open conversion ends a sentence about the property. */
export function readConversion(target: Class, { property, shape, derivedType }: PropertyShape): Conversion {
  const obstacle = conversionObstacle(target, property);
  if (obstacle !== undefined) return { kind: 'open', reason: obstacle };
  const nested = nestedClass(shape);
  const declared = declaredType(target, property);
  if (declared !== undefined) return conversionTo(declared.target, nested, ORDINARY.has(declared.reflected));
  return derivedType === undefined && nested === undefined ? COPY : conversionTo(derivedType, nested, true);
}

function conversionObstacle(target: Class, property: string): string | undefined {
  if (hasTransform(target, property)) return 'has @Transform';
  const collection = collectionType(target, property);
  if (collection === 'map') return 'is a Map';
  if (collection === 'set') return 'is a Set';
  if (declaredType(target, property)?.discriminator !== undefined) return 'has a discriminator';
  return isTypeByInput(target, property) ? 'has an @Type that looks at the input' : undefined;
}

const COPY: Conversion = Object.freeze({ kind: 'copy', takesArrays: true });

function conversionTo(type: unknown, nested: Class | undefined, takesArrays: boolean): Conversion {
  if (nested !== undefined && type === nested) return { kind: 'instance', type: nested, takesArrays };
  if (nested === undefined && isScalarClass(type)) return { kind: 'scalar', type, takesArrays };
  return { kind: 'open', reason: 'has @Type without @ValidateNested' };
}

/** The classes are looked up every time, because tests replace `Date`. */
function isScalarClass(type: unknown): type is ScalarClass {
  return type === String || type === Number || type === Boolean || type === Date;
}

/** The class of a property or of its items. */
function nestedClass(shape: Shape): Class | undefined {
  if (shape.kind === 'array') return nestedClass(shape.items);
  return shape.kind === 'object' || shape.kind === 'ref' ? shape.id : undefined;
}

const RECORD_TYPES = new Set([
  'customValidation',
  'nestedValidation',
  'conditionalValidation',
  'whitelistValidation',
  'isDefined',
]);

/**
 * Why instances of a class can only be made and validated by the libraries themselves: the end of a sentence
 * about the class or the property. Undefined if there is no obstacle.
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
 * class-transformer leaves out methods and read-only accessors, and a setter decides itself which value is kept.
 * It treats an object with a function `then` as a promise.
 */
function isOrdinary(blank: object, property: string): boolean {
  if (property === 'then' || property in (Object.getPrototypeOf(blank) as object)) return false;
  const descriptor = Object.getOwnPropertyDescriptor(blank, property);
  if (descriptor === undefined) return Object.isExtensible(blank);
  const initial: unknown = descriptor.value;
  return descriptor.writable === true && descriptor.enumerable === true && typeof initial !== 'function';
}
