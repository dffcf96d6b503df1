import type { FieldOptions } from '../../metadata/options.ts';
import { classChain, ownRecords } from '../../metadata/records.ts';
import { sensitiveProperties } from '../../metadata/sensitive-fields.ts';
import type { Class } from '../../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import { blankInstance, initialisedDefaults } from './blank-instance.ts';
import { isOff, readRules, refuses, type PropertyRules } from './property-rules.ts';
import {
  splitByEach,
  type Condition,
  type FieldDoc,
  type LossReason,
  type ObjectShape,
  type PropertyShape,
  type RefShape,
  type Shape,
  type Constraint,
  type ScalarType,
} from './shape.ts';
import {
  declaredType,
  hasOwnNames,
  hasStrategy,
  hasTransform,
  inputName,
  isExcluded,
  nestedType,
  type Side,
  collectionType,
  type NestedType,
} from './transformer-metadata.ts';
import {
  createValidationReader,
  type ValidationReader,
  type ValidationRecord,
} from './validation-metadata.ts';
import { jsonType } from './read-constraints.ts';

/** What all classes of one shape have in common while they are read. */
interface Reading {
  readonly reader: ValidationReader;
  readonly side: Side;
  /** A class that several properties lead to is read once. */
  readonly known: Map<Class, ObjectShape>;
}

/** What the properties of one class have in common while they are read. */
interface ClassReading extends Reading {
  readonly target: Class;
  readonly path: readonly Class[];
  readonly blank: object;
  readonly initial: ReadonlyMap<string, unknown>;
  readonly fields: ReadonlyMap<string, FieldOptions>;
  readonly sensitive: ReadonlySet<string | symbol>;
  /** class-transformer names or leaves out properties. It is asked for each only then. */
  readonly isRenamed: boolean;
}

/** Reads a DTO class: its validators, types, defaults and descriptions. Pure, given the metadata. */
export function readShape(
  target: Class,
  reader = createValidationReader(),
  side: Side = 'input',
): ObjectShape {
  return readClass(target, [], { reader, side, known: new Map() });
}

function readClass(target: Class, outer: readonly Class[], { reader, side, known }: Reading): ObjectShape {
  const blank = blankInstance(target);
  const reading: ClassReading = {
    reader,
    side,
    known,
    target,
    path: [...outer, target],
    blank: blank ?? (Object.create(target.prototype as object) as object),
    initial: initialisedDefaults(target, blank),
    fields: fieldOptions(target),
    sensitive: sensitiveProperties(target),
    isRenamed: hasOwnNames(target) || hasStrategy(target),
  };
  const all = reader.propertiesOf(target);
  const kept = reading.isRenamed ? all.filter((property) => !isExcluded(target, property, side)) : all;
  const properties = kept.map((property) => readProperty(property, reading));
  const shape: ObjectShape = Object.freeze({
    kind: 'object',
    id: target,
    properties: Object.freeze(properties),
  });
  known.set(target, shape);
  return shape;
}

function readNested(type: Class, { path, reader, side, known }: ClassReading): ObjectShape | RefShape {
  if (path.includes(type)) return Object.freeze({ kind: 'ref', id: type });
  return known.get(type) ?? readClass(type, path, { reader, side, known });
}

function readProperty(property: string, reading: ClassReading): PropertyShape {
  const { target, blank, reader } = reading;
  const records = reader.propertyRecords(target, property);
  const rules = readRules(records);
  const shape = readValueShape(target, property, rules, records, (type) => readNested(type, reading));
  const options = reading.fields.get(property);
  const declared = options?.default;
  const absent = declared ?? (blank as Record<string, unknown>)[property];
  const isCheckedAlone = !rules.conditions.some((condition) => condition.dependsOnOthers);
  const required = isCheckedAlone && refuses(rules, absent, blank, reader);
  const nullable = rules.conditions.some((condition) => letsNullPass(condition, blank, reading.side));
  const mayBeAbsent = reading.side === 'input' && !required && !nullable;
  const nullIsAbsent = mayBeAbsent && refuses({ ...rules, conditions: [] }, null, blank, reader);
  const initial = required ? undefined : reading.initial.get(property);
  return Object.freeze({
    name: reading.isRenamed ? inputName(target, property) : property,
    property,
    required,
    nullable,
    nullIsAbsent,
    isSensitive: reading.sensitive.has(property),
    shape,
    constraints: rules.constraints,
    conditions: rules.conditions,
    derivedType: derivedType(target, property, shape, rules),
    // a default of null where null means nothing would contradict the type beside it
    doc: fieldDoc(options, nullIsAbsent ? (initial ?? undefined) : initial),
    lossy: lossReasons(rules, shape),
  });
}

/**
 * An author's condition that skips validation for null admits null. In an input, @IsOptional only means that the
 * property may be left out; in a handler's output, its value may still be null.
 */
function letsNullPass(condition: Condition, blank: object, side: Side): boolean {
  if (condition.dependsOnOthers || (condition.kind === 'optional' && side === 'input')) return false;
  return isOff(condition, null, blank);
}

function derivedType(target: Class, property: string, shape: Shape, rules: PropertyRules): Class | undefined {
  const item = shape.kind === 'array' ? shape.items : shape;
  const isDate = item.kind === 'scalar' && item.type === 'date';
  if (!isDate && !rules.isNested) return undefined;
  if (declaredType(target, property) !== undefined || hasTransform(target, property)) return undefined;
  // JSON has no dates: @IsDate alone could never be satisfied
  if (isDate) return Date;
  const nested = nestedType(target, property);
  return nested?.kind === 'class' && nested.isDerived ? nested.type : undefined;
}

/** Rules that the decorators enforce but no schema can express; the emitter finds the losses of the schema itself. */
function lossReasons({ constraints, conditions }: PropertyRules, shape: Shape): readonly LossReason[] {
  const reasons: string[] = [];
  if (conditions.some((condition) => condition.dependsOnOthers)) {
    reasons.push('is checked only under a condition that depends on other fields');
  }
  if (shape.kind === 'opaque' && shape.result !== undefined)
    reasons.push('is converted before it is checked');
  for (const constraint of constraints) {
    // the phrase is made when it is read
    if (constraint.isConditional) reasons.push(`under a condition ${constraint.phrase}`);
    else if (!constraint.isBuiltIn) reasons.push(constraint.phrase);
  }
  if (reasons.length === 0) return NONE;
  return Object.freeze([...new Set(reasons)].map((reason) => Object.freeze({ reason })));
}

/** The @Field options of each property; the class nearest to the DTO wins, option by option. */
export function fieldOptions(target: Class): ReadonlyMap<string, FieldOptions> {
  const options = new Map<string, FieldOptions>();
  for (const type of [...classChain(target)].reverse()) {
    for (const record of ownRecords(type, 'field')) {
      if (typeof record.property !== 'string') continue;
      options.set(record.property, { ...options.get(record.property), ...record.options });
    }
  }
  return options;
}

const NONE: readonly never[] = Object.freeze([]);
const NO_OPTIONS: FieldOptions = Object.freeze({});
const UNDOCUMENTED: FieldDoc = Object.freeze({ isDefaultDeclared: false });

/** Joins the @Field options with the default of the field's initialiser; an explicit default wins. */
function fieldDoc(options: FieldOptions = NO_OPTIONS, initial: unknown): FieldDoc {
  if (options === NO_OPTIONS && initial === undefined) return UNDOCUMENTED;
  const { title, description, examples, deprecated, format, header } = options;
  const value = options.default === undefined ? initial : deepCopy(options.default);
  return deepFreeze({
    isDefaultDeclared: options.default !== undefined,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    ...(examples === undefined ? {} : { examples: deepCopy(examples) }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(format === undefined ? {} : { format }),
    ...(header === undefined ? {} : { header }),
  });
}

type ReadClass = (type: Class) => ObjectShape | RefShape;

/** The type of a property, as far as its validators and @Type show it. */
function readValueShape(
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
  const { ofValue, ofItems } = splitByEach(constraints);
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
