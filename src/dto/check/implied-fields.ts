import { isNotNull } from '../../metadata/records.ts';
import { jsonType } from '../shape/read-constraints.ts';
import { splitByEach, type Constraint, type PropertyShape, type Shape } from '../shape/shape.ts';
import { isReverseMapping } from '../shape/value-shape.ts';
import type { Conversion } from './read-conversion.ts';

/** The validators that accept no value which the keywords that they are published with refuse. */
const EXACT = new Set([
  ...['isDefined', 'isNotEmpty', 'isEmpty', 'equals', 'notEquals', 'isIn', 'isNotIn', 'isInstance'],
  ...['isString', 'minLength', 'maxLength', 'isLength', 'matches', 'contains', 'notContains'],
  ...['isAlpha', 'isAlphanumeric', 'isAscii', 'isNumberString', 'isBooleanString', 'isHexadecimal'],
  ...['isHexColor', 'isMongoId', 'isMilitaryTime', 'isUuid', 'isBoolean', 'isInt', 'isNumber', 'min', 'max'],
  ...['isPositive', 'isNegative', 'isDivisibleBy', 'isDate', 'minDate', 'maxDate', 'isObject'],
  ...['isNotEmptyObject', 'isArray', 'arrayContains', 'arrayNotContains', 'arrayNotEmpty', 'arrayMinSize'],
  ...['arrayMaxSize', 'arrayUnique'],
]);

const OF_DATES = new Set(['isDate', 'minDate', 'maxDate']);

/** These are exact as rules that are written here; the originals count and match half characters. */
const EXACT_INLINE = new Set(['maxLength', 'isLength', 'matches']);

/**
 * True where the validators accept no value that the published schema of the property refuses.
 * @param isInline whether the rules that stand in for validators decide, and not the originals
 */
export function isImplied(property: PropertyShape, conversion: Conversion, isInline: boolean): boolean {
  const { shape, constraints, conditions, doc } = property;
  if (doc.format !== undefined || doc.type !== undefined || doc.header !== undefined) return false;
  // null passes @IsOptional, also where the schema has no null and it does not stand for absence
  if (conditions.some(({ kind }) => kind === 'optional') && !property.nullIsAbsent && !property.nullable)
    return false;
  const isAsked = conditions.every(({ kind, original }) => kind === 'optional' || original === isNotNull);
  return (
    isAsked &&
    constraints.every(
      (one) => !isPublished(one) || (isExact(one) && (isInline || !EXACT_INLINE.has(one.name))),
    ) &&
    !isConverted(conversion) &&
    isTypeImplied(shape, constraints, conversion)
  );
}

/** True for validators that keywords stand for. */
function isPublished({ isBuiltIn, isConditional }: Constraint): boolean {
  return isBuiltIn && !isConditional;
}

function isExact({ name, args }: Constraint): boolean {
  return EXACT.has(name) || (name === 'isEnum' && !hasReverseMapping(args[0]));
}

function hasReverseMapping(entity: unknown): boolean {
  const members = entity as Readonly<Record<string, unknown>>;
  return Object.keys(members).some((key) => isReverseMapping(members, key));
}

/** A date is read from the published form alone, so that what becomes one has that form. */
function isConverted(conversion: Conversion): boolean {
  return conversion.kind === 'scalar' && conversion.type !== Date;
}

function isTypeImplied(shape: Shape, constraints: readonly Constraint[], conversion: Conversion): boolean {
  const { ofValue, ofItems } = splitByEach(constraints);
  if (shape.kind === 'array') {
    if (jsonType(ofValue) !== 'array') return false;
    return shape.items.kind !== 'array' && isTypeImplied(shape.items, ofItems, conversion);
  }
  if (conversion.kind === 'scalar') return isDateImplied(shape, ofValue);
  if (shape.kind === 'enum') return true;
  if (shape.kind === 'object' || shape.kind === 'ref') return conversion.kind === 'instance';
  if (shape.kind !== 'scalar' || shape.type === 'date') return false;
  // a type that is known from elsewhere is tested by no validator
  return shape.type === 'any' || (shape.type !== 'array' && jsonType(ofValue) === shape.type);
}

/** Where none is published, any text becomes a date; and null stays as it is. */
function isDateImplied(shape: Shape, validators: readonly Constraint[]): boolean {
  const isPublishedDate = shape.kind === 'scalar' && shape.type === 'date';
  return isPublishedDate && validators.some(({ name }) => OF_DATES.has(name));
}
