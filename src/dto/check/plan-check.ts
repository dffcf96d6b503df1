import type { UnknownFields } from '../../metadata/options.ts';
import { isNotNull } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import { emitField } from '../schema/emit-json-schema.ts';
import {
  indexShapes,
  type Condition,
  type Constraint,
  type ObjectShape,
  type PropertyShape,
} from '../shape/shape.ts';
import { createValidationReader, type ValidationReader } from '../shape/validation-metadata.ts';
import type { CheckPlan, ClassPlan, ConditionPlan, PropertyPlan } from './check-plan.ts';
import { readConversion, readObstacle, type Conversion } from './read-conversion.ts';
import { createFits } from './published-values.ts';
import { isImplied } from './implied-fields.ts';
import { planRule } from './rules/plan-rule.ts';

interface PlanOptions {
  readonly unknownFields: UnknownFields;
  /** Fields of the root that another contract checks. */
  readonly redeclared: readonly string[];
  /** Called when a validator returns a promise, which is not awaited here. */
  readonly onPromise: () => void;
}

/** Why a DTO is left to the libraries. */
interface Obstacle {
  readonly obstacle: string;
}

type KnownConversion = Exclude<Conversion, { readonly kind: 'open' }>;
type Conversions = Map<PropertyShape, KnownConversion>;

/** Plans the check of a DTO; one class that cannot be planned leaves the whole DTO to the libraries. */
export function planCheck(shape: ObjectShape, options: PlanOptions): CheckPlan | Obstacle {
  const reader = createValidationReader();
  const shapes = indexShapes(shape);
  const conversions: Conversions = new Map();
  for (const one of shapes.values()) {
    const obstacle = readClass(one, reader, conversions);
    if (obstacle !== undefined) return { obstacle };
  }
  const plans = new Map<Class, ClassPlan>();
  const plan = ({ id, properties }: ObjectShape, redeclared: readonly string[]): ClassPlan => ({
    type: id as new () => object,
    properties: properties.map((property) => planProperty(property, redeclared)),
  });
  const planOf = (type: Class): ClassPlan => {
    // below the root, a class has nothing that is checked elsewhere
    const known = plans.get(type) ?? plan(shapes.get(type) as ObjectShape, []);
    plans.set(type, known);
    return known;
  };
  const planProperty = (property: PropertyShape, redeclared: readonly string[]): PropertyPlan => {
    const { name, nullIsAbsent, conditions, constraints, doc } = property;
    const conversion = conversions.get(property) as KnownConversion;
    return {
      name,
      nullIsAbsent,
      conversion:
        conversion.kind === 'instance'
          ? {
              ...conversion,
              takesArrays: takesArrays(conversion, property),
              plan: () => planOf(conversion.type),
            }
          : conversion.kind === 'scalar'
            ? { ...conversion, takesArrays: takesArrays(conversion, property) }
            : conversion,
      fits:
        redeclared.includes(name) || isImplied(property, conversion, true)
          ? undefined
          : createFits(emitField(property)),
      preset: doc.isDefaultDeclared ? { value: doc.default } : undefined,
      conditions: planConditions(conditions, name),
      rules: patternsLast(constraints).map((constraint) => planRule(constraint, options.onPromise)),
      isOwn: !redeclared.includes(name),
    };
  };
  const root = options.redeclared.length === 0 ? planOf(shape.id) : plan(shape, options.redeclared);
  return { root, classes: classesBelow(root), unknownFields: options.unknownFields };
}

/** Length checks come first, so that slow patterns never see a text that is too long. */
function patternsLast(constraints: readonly Constraint[]): readonly Constraint[] {
  const isPattern = ({ name }: Constraint): boolean => name === 'matches';
  return [...constraints.filter((one) => !isPattern(one)), ...constraints.filter(isPattern)];
}

/** A field published as one object, or one date, refuses an array, although class-validator accepts it. */
function takesArrays(conversion: KnownConversion, { shape }: PropertyShape): boolean {
  const isOne = conversion.kind === 'instance' || (conversion.kind === 'scalar' && conversion.type === Date);
  return conversion.takesArrays && (!isOne || shape.kind === 'array');
}

/** Reads how the properties of a class are converted; gives the first obstacle, if there is one. */
function readClass(
  shape: ObjectShape,
  reader: ValidationReader,
  conversions: Conversions,
): string | undefined {
  const { name } = shape.id;
  const obstacle = readObstacle(shape, reader);
  if (obstacle !== undefined) return obstacle.startsWith('.') ? `${name}${obstacle}` : `${name} ${obstacle}`;
  for (const property of shape.properties) {
    const conversion = readConversion(shape.id, property);
    if (conversion.kind === 'open') return `${name}.${property.property} ${conversion.reason}`;
    conversions.set(property, conversion);
  }
  return undefined;
}

function classesBelow(root: ClassPlan): readonly ClassPlan[] {
  const classes = new Set([root]);
  for (const { properties } of classes) {
    for (const { conversion } of properties)
      if (conversion.kind === 'instance') classes.add(conversion.plan());
  }
  return [...classes];
}

const PROBES: readonly unknown[] = [undefined, null, '', 'a', 0, 1, false, true, Number.NaN, [], {}];

export function planConditions(conditions: readonly Condition[], property: string): readonly ConditionPlan[] {
  return conditions.map(({ kind, original }) => {
    if (original === isNotNull) return { asks: 'notNull' };
    const isInline = kind === 'optional' && isPresence(original, property);
    return isInline ? { asks: 'present' } : { asks: 'test', test: original };
  });
}

/** True when a condition does what @IsOptional does. */
function isPresence(original: Condition['original'], property: string): boolean {
  try {
    return PROBES.every(
      (value) => Boolean(original({ [property]: value }, value)) === (value !== undefined && value !== null),
    );
  } catch {
    return false;
  }
}
