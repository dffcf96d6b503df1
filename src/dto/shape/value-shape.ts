import { propertyType } from '../../metadata/design-types.ts';
import type { Class } from '../../shared/class-type.ts';
import { conversionTypes } from './conversion-types.ts';
import type { PropertyRules } from './property-rules.ts';
import { jsonType } from './read-constraints.ts';
import {
  splitByEach,
  type Constraint,
  type ObjectShape,
  type RefShape,
  type ScalarType,
  type Shape,
} from './shape.ts';
import {
  collectionType,
  declaredType,
  hasTransform,
  inputName,
  nestedType,
  type NestedType,
} from './transformer-metadata.ts';
import type { ValidationRecord } from './validation-metadata.ts';

type ReadClass = (type: Class) => ObjectShape | RefShape;

/** The type of a property, as far as its validators, @Type and its own type show it. */
export function readValueShape(
  target: Class,
  property: string,
  rules: PropertyRules,
  records: readonly ValidationRecord[],
  readClass: ReadClass,
): Shape {
  const shape = withCollection(target, property, rules.constraints, records, readClass);
  if (hasTransform(target, property)) {
    const types = conversionTypes(target, property, inputName(target, property), shape);
    return Object.freeze({ kind: 'opaque', reason: '@Transform', result: shape, types });
  }
  const custom = rules.constraints.find((constraint) => !constraint.isBuiltIn);
  const isOpen = shape.kind === 'scalar' && shape.type === 'any';
  return isOpen && custom !== undefined ? Object.freeze({ kind: 'opaque', reason: custom.phrase }) : shape;
}

function withCollection(
  target: Class,
  property: string,
  constraints: readonly Constraint[],
  records: readonly ValidationRecord[],
  readClass: ReadClass,
): Shape {
  const nested = records.filter(({ type }) => type === 'nestedValidation');
  const collection = collectionType(target, property);
  const { ofValue, ofItems } = splitByEach(constraints);
  const isEach = ofItems.length > 0 || nested.some(({ each }) => each === true);
  const type = nested.length === 0 ? undefined : nestedType(target, property);
  if (collection === 'map' && declaredType(target, property) !== undefined) {
    return Object.freeze({ kind: 'map', values: itemShape(type, ofItems, target, property, readClass) });
  }
  const isArray = isEach || isArrayValue(ofValue, collection);
  if (isArray || (type !== undefined && collection === 'array')) {
    const item = itemShape(type, ofItems, target, property, readClass);
    const isNestedArray = type !== undefined && jsonType(ofItems) === 'array';
    return Object.freeze({
      kind: 'array',
      items: isNestedArray ? Object.freeze({ kind: 'array', items: item }) : item,
    });
  }
  if (type === undefined) return scalarShape(ofValue, target, property, designScalar(target, property));
  return itemShape(type, ofValue, target, property, readClass);
}

/** True where the validators, or without any of a type the property itself, say that the value is an array. */
function isArrayValue(constraints: readonly Constraint[], collection: string | undefined): boolean {
  if (collection === 'set') return true;
  const type = jsonType(constraints);
  return type === 'array' || (collection === 'array' && type === undefined && !constraints.some(givesValues));
}

const VALUE_VALIDATORS = new Set(['isIn', 'equals', 'isEmpty', 'isEnum']);

/** True for validators that list the values of a property, of whatever type they are. */
function givesValues({ name, isBuiltIn }: Constraint): boolean {
  return isBuiltIn && VALUE_VALIDATORS.has(name);
}

/** The type that the compiler wrote down for a property of a plain type. */
function designScalar(target: Class, property: string): ScalarType | undefined {
  const emitted = propertyType(target, property);
  const name = emitted.kind === 'primitive' ? emitted.name.toLowerCase() : '';
  return name === 'string' || name === 'number' || name === 'boolean' ? name : undefined;
}

function itemShape(
  type: NestedType | undefined,
  constraints: readonly Constraint[],
  target: Class,
  property: string,
  readClass: ReadClass,
): Shape {
  if (type === undefined) return scalarShape(constraints, target, property);
  if (type.kind === 'class') return readClass(type.type);
  const options = type.options.map((option) =>
    Object.freeze({ name: option.name, shape: readClass(option.type) }),
  );
  return Object.freeze({ kind: 'union', discriminator: type.discriminator, options: Object.freeze(options) });
}

function scalarShape(
  constraints: readonly Constraint[],
  target: Class,
  property: string,
  design?: ScalarType,
): Shape {
  const enumeration = constraints.find((one) => isPlain(one) && one.name === 'isEnum');
  if (enumeration !== undefined) {
    return Object.freeze({ kind: 'enum', values: enumValues(enumeration.args[0]) });
  }
  const said = jsonType(constraints) ?? convertedType(declaredType(target, property)?.type);
  const type = said ?? (constraints.some(givesValues) ? undefined : design) ?? 'any';
  return Object.freeze({ kind: 'scalar', type });
}

function convertedType(type: unknown): ScalarType | undefined {
  if (type === String) return 'string';
  if (type === Number) return 'number';
  if (type === Boolean) return 'boolean';
  return type === Date ? 'date' : undefined;
}

/**
 * The values of a TypeScript enum or const object, without the reverse mapping of numeric enums.
 * class-validator itself drops every value whose key begins with a digit from its message.
 */
function enumValues(entity: unknown): readonly (string | number)[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const members = entity as Readonly<Record<string, unknown>>;
  const values = Object.keys(members)
    .filter((key) => !isReverseMapping(members, key))
    .map((key) => members[key])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return Object.freeze([...new Set(values)]);
}

export function isReverseMapping(members: Readonly<Record<string, unknown>>, key: string): boolean {
  const name = members[key];
  return String(Number(key)) === key && typeof name === 'string' && members[name] === Number(key);
}

/** True for validators that count for every value, and answer at once. */
export function isPlain({ isBuiltIn, isConditional, isAsync }: Constraint): boolean {
  return isBuiltIn && !isConditional && !isAsync;
}
