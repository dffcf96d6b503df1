import type { Class } from '../../shared/class-type.ts';
import type { PropertyRules } from './property-rules.ts';
import { validatorType } from './read-constraints.ts';
import type { Constraint, ObjectShape, RefShape, ScalarType, Shape } from './shape.ts';
import {
  collectionType,
  declaredType,
  hasTransform,
  nestedType,
  type NestedType,
} from './transformer-metadata.ts';
import type { ValidationRecord } from './validation-metadata.ts';

type ReadClass = (type: Class) => ObjectShape | RefShape;

/** The type of a property, as far as its validators and @Type tell. */
export function readValueShape(
  target: Class,
  property: string,
  rules: PropertyRules,
  records: readonly ValidationRecord[],
  readClass: ReadClass,
): Shape {
  const shape = withCollection(target, property, rules.constraints, records, readClass);
  if (hasTransform(target, property))
    return Object.freeze({ kind: 'opaque', reason: '@Transform', result: shape });
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
  const ofValue = constraints.filter(({ each }) => !each);
  const ofItems = constraints.filter(({ each }) => each);
  const isEach = ofItems.length > 0 || nested.some(({ each }) => each === true);
  const type = nested.length === 0 ? undefined : nestedType(target, property);
  if (collection === 'map' && declaredType(target, property) !== undefined) {
    return Object.freeze({ kind: 'map', values: itemShape(type, ofItems, target, property, readClass) });
  }
  const isArray = jsonType(ofValue) === 'array' || isEach || collection === 'set';
  if (isArray || (type !== undefined && collection === 'array')) {
    const item = itemShape(type, ofItems, target, property, readClass);
    const isNestedArray = type !== undefined && jsonType(ofItems) === 'array';
    return Object.freeze({
      kind: 'array',
      items: isNestedArray ? Object.freeze({ kind: 'array', items: item }) : item,
    });
  }
  return itemShape(type, ofValue, target, property, readClass);
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

function scalarShape(constraints: readonly Constraint[], target: Class, property: string): Shape {
  const enumeration = constraints.find(({ name, isBuiltIn }) => isBuiltIn && name === 'isEnum');
  if (enumeration !== undefined) {
    return Object.freeze({ kind: 'enum', values: enumValues(enumeration.args[0]) });
  }
  const type = jsonType(constraints) ?? convertedType(declaredType(target, property)?.type) ?? 'any';
  return Object.freeze({ kind: 'scalar', type });
}

/** The narrowest type that the validators share; of contradicting ones the first counts. */
function jsonType(constraints: readonly Constraint[]): ScalarType | undefined {
  const types = constraints
    .filter(({ isBuiltIn, isConditional }) => isBuiltIn && !isConditional)
    .map(({ name, args }) => validatorType(name, args))
    .filter((type) => type !== undefined && type !== 'any');
  if (types[0] === 'number' && types.includes('integer')) return 'integer';
  return types[0];
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

function isReverseMapping(members: Readonly<Record<string, unknown>>, key: string): boolean {
  const name = members[key];
  return String(Number(key)) === key && typeof name === 'string' && members[name] === Number(key);
}
