import type { FieldOptions } from '../../metadata/options.ts';
import { propertyRecords } from '../../metadata/copied-properties.ts';
import { classChain } from '../../metadata/records.ts';
import { SHOWN_FORM } from '../../errors/redact.ts';
import { redactInspection, sensitiveProperties } from '../../metadata/sensitive-fields.ts';
import type { Class } from '../../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import { withoutUndefined } from '../../shared/json.ts';
import { blankInstance, initialisedDefaults } from './blank-instance.ts';
import { isOff, readRules, refuses, type PropertyRules } from './property-rules.ts';
import type {
  Condition,
  FieldDoc,
  LossReason,
  ObjectShape,
  PropertyShape,
  RefShape,
  Shape,
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
} from './transformer-metadata.ts';
import { createValidationReader, type ValidationReader } from './validation-metadata.ts';
import { isPlain, readValueShape } from './value-shape.ts';

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
    sensitive: hiddenProperties(target),
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

/** A class that was copied from another one does not know how it is printed. */
function hiddenProperties(target: Class): ReadonlySet<string | symbol> {
  const sensitive = sensitiveProperties(target);
  if (sensitive.size > 0 && !(SHOWN_FORM in (target.prototype as object))) redactInspection(target);
  return sensitive;
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
  const absent = options?.default ?? (blank as Record<string, unknown>)[property];
  const { required, nullable, nullIsAbsent } = readAbsence(rules, shape, absent, reading);
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
    skipsValues: rules.conditions.some((condition) => mayLetValuesPass(condition, blank)),
    derivedType: derivedType(target, property, shape, rules),
    // a default of null where null means nothing would contradict the type beside it
    doc: fieldDoc(options, nullIsAbsent ? (initial ?? undefined) : initial),
    lossy: lossReasons(rules, shape),
  });
}

function hasType(shape: Shape): boolean {
  return shape.kind !== 'opaque' && !(shape.kind === 'scalar' && shape.type === 'any');
}

/** Whether a property may be left out, and what null means there. @param absent what it has where it is left out */
function readAbsence(
  rules: PropertyRules,
  shape: Shape,
  absent: unknown,
  { blank, reader, side }: ClassReading,
): Pick<PropertyShape, 'required' | 'nullable' | 'nullIsAbsent'> {
  const isCheckedAlone = !rules.conditions.some((condition) => condition.dependsOnOthers);
  const required = isCheckedAlone && refuses(rules, absent, blank, reader);
  const isTyped = hasType(shape);
  const refusesNull = refuses({ ...rules, conditions: [] }, null, blank, reader);
  const isOptional = rules.conditions.some(({ kind }) => kind === 'optional');
  const nullable =
    rules.conditions.some((condition) => letsNullPass(condition, blank, side)) ||
    (isTyped && !isOptional && !refusesNull && rules.constraints.every(isPlain));
  const mayBeAbsent = side === 'input' && !required && !nullable;
  return { required, nullable, nullIsAbsent: mayBeAbsent && (refusesNull || (isTyped && isOptional)) };
}

/**
 * An author's condition that skips validation for null admits null. In an input, @IsOptional only means that the
 * property may be left out; in a handler's output, its value may still be null.
 */
function letsNullPass(condition: Condition, blank: object, side: Side): boolean {
  if (condition.dependsOnOthers || (condition.kind === 'optional' && side === 'input')) return false;
  return isOff(condition, null, blank);
}

const VALUES: readonly unknown[] = ['', 'a', 0, 1, true, false, [], {}];

/** True unless a condition is about null alone: which other values it lets pass is not known. */
function mayLetValuesPass(condition: Condition, blank: object): boolean {
  if (condition.kind === 'optional') return false;
  if (condition.dependsOnOthers) return true;
  return !isOff(condition, null, blank) || VALUES.some((value) => isOff(condition, value, blank));
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
    for (const record of propertyRecords(type, 'field')) {
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
  const { title, description, examples, deprecated, format, header, type } = options;
  const doc = withoutUndefined({
    isDefaultDeclared: options.default !== undefined,
    title,
    description,
    default: options.default === undefined ? initial : deepCopy(options.default),
    examples: examples && deepCopy(examples),
    deprecated,
    format,
    header,
    type,
  });
  return deepFreeze(doc as FieldDoc);
}
