import type { Class } from '../shared/class-type.ts';
import { collectionType } from './nested-type.ts';
import type { PropertyShape, Shape } from './shape.ts';
import { declaredType, hasTransform, isTypeByInput } from './transformer-metadata.ts';

/** What class-transformer makes of the values of a property. */
export type Conversion =
  | { readonly kind: 'copy'; readonly takesArrays: true }
  | { readonly kind: 'scalar'; readonly type: ScalarClass; readonly takesArrays: boolean }
  | { readonly kind: 'instance'; readonly type: Class; readonly takesArrays: boolean }
  /** It cannot be told beforehand. */
  | { readonly kind: 'open'; readonly reason: string };

export type ScalarClass = StringConstructor | NumberConstructor | BooleanConstructor | DateConstructor;

// For an array class-transformer makes one of the emitted type; these give an ordinary array.
const ORDINARY: ReadonlySet<unknown> = new Set([undefined, Array, Object]);

/** Reads how a property is converted; the reason of an open one is the end of a sentence about it. */
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

/** The classes are looked up every time: tests exchange `Date`. */
function isScalarClass(type: unknown): type is ScalarClass {
  return type === String || type === Number || type === Boolean || type === Date;
}

/** The class of a property or of its items. */
function nestedClass(shape: Shape): Class | undefined {
  if (shape.kind === 'array') return nestedClass(shape.items);
  return shape.kind === 'object' || shape.kind === 'ref' ? shape.id : undefined;
}
