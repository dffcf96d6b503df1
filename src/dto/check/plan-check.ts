import type { UnknownFields } from '../../metadata/options.ts';
import { isNotNull } from '../../metadata/records.ts';
import type { Class } from '../../shared/class-type.ts';
import {
  indexShapes,
  type Condition,
  type Constraint,
  type ObjectShape,
  type PropertyShape,
} from '../shape/shape.ts';
import { createValidationReader, type ValidationReader } from '../shape/validation-metadata.ts';
import type {
  CheckPlan,
  ClassPlan,
  ConditionPlan,
  PropertyPlan,
  AskOriginal,
  BoundRule,
  CallValidator,
  InlineRule,
  RulePlan,
} from './check-plan.ts';
import { readConversion, readObstacle, type Conversion } from './read-conversion.ts';
import { isThenable } from '../../shared/maybe-promise.ts';
import { SEQUENCE_RULES } from './rules/sequence-rules.ts';
import { VALUE_RULES } from './rules/value-rules.ts';

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

/** Decides whether a validator is written as code or called; `onPromise` receives an answer that comes later. */
export function planRule(constraint: Constraint, onPromise: () => void): RulePlan {
  const { name, each, condition } = constraint;
  const found = inlineRule(constraint);
  const isInline = typeof found !== 'string';
  return {
    name,
    each,
    condition,
    inline: isInline ? found : undefined,
    call: callOf(constraint, onPromise),
    why: isInline ? undefined : found,
  };
}

/** The rule that stands in for a validator, or why there is none. */
function inlineRule({ name, args, isBuiltIn, phrase, validate }: Constraint): BoundRule | string {
  const rule = INLINE_RULES.get(name);
  if (!isBuiltIn) return 'a validator of your own';
  if (rule === undefined) return 'no code stands for this validator';
  const ask = (value: unknown): boolean => {
    const answer = validate(value, {});
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    throw new TypeError('an answer that comes later');
  };
  const bound = rule.bind(args, ask);
  if (bound === undefined) return 'no code stands for these arguments';
  if (phrase.startsWith(rule.says) && agrees(bound, ask)) return bound;
  return 'it is not the validator of class-validator, or not with this option';
}

function callOf({ validate }: Constraint, onPromise: () => void): CallValidator {
  return (value, object, whole) => {
    const answer = validate(value, object, whole);
    if (!isThenable(answer)) return Boolean(answer);
    silence(answer);
    onPromise();
    return false;
  };
}

/** The promise is not awaited, and an unhandled rejection would end the process. */
function silence(promise: PromiseLike<unknown>): void {
  promise.then(undefined, () => undefined);
}

const RULE_PROBES: readonly unknown[] = [
  ...[undefined, null, true, '', 'some text', 0, 12, -1.5, Number.NaN, Number.POSITIVE_INFINITY],
  ...[[], ['a', 'b'], {}, { a: 1 }, new Date(86_400_000)],
];

/**
 * Users can reuse names: `registerDecorator({ name: 'isString' })`. So a rule replaces a validator only if both give
 * the same answer for every probe; a validator that throws for a probe is a different one.
 */
function agrees(rule: BoundRule, original: AskOriginal): boolean {
  const isSame = (value: unknown): boolean => original(value) === rule.test(value);
  try {
    return RULE_PROBES.every(isSame) && (rule.probes ?? []).every(isSame) && (rule.isOriginal?.() ?? true);
  } catch {
    return false;
  }
}

/** Every validator of class-validator that is compiled, by the name it registers itself with. */
const INLINE_RULES: ReadonlyMap<string, InlineRule> = new Map(
  Object.entries({ ...VALUE_RULES, ...SEQUENCE_RULES }),
);
