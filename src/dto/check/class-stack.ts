import type { TargetMap } from 'class-transformer';
import { validate, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import type { Class } from '../../shared/class-type.ts';
import type { PlainObject } from '../../shared/json.ts';
import { indexShapes, type ObjectShape, type Constraint, type PropertyShape } from '../shape/shape.ts';
import { toInstance } from '../shape/transformer-metadata.ts';
import { MOST_MADE } from '../../call/issue.ts';
import { createChecker, type Checker, type CheckerOptions } from './class-check.ts';
import { planConditions } from './plan-check.ts';
import { planRule } from './rules/plan-rule.ts';
import { readConversion } from './read-conversion.ts';

/** One property that the validators refuse; an array's items have their index as name. */
export interface StackFailure {
  /** Undefined when the value as a whole is refused. */
  readonly property: string | undefined;
  /** The converted value. */
  readonly value: unknown;
  /** The validator's name → its message. */
  readonly messages: Readonly<Record<string, string>>;
  readonly children: readonly StackFailure[];
}

export interface StackResult {
  readonly instance: object;
  readonly failures: readonly StackFailure[];
}

/** class-transformer and class-validator, set up for one DTO. */
export interface ClassStack {
  /** Throws what the class's constructor, transforms or conversions throw. */
  readonly hydrate: (plain: PlainObject) => object;
  /**
   * Returns a promise only if a validator may need one. It throws or rejects as the validators do.
   * `prepare` changes the instance before it is validated.
   */
  readonly run: (
    plain: PlainObject,
    prepare?: (instance: object) => void,
  ) => StackResult | Promise<StackResult>;
}

// Unknown names are checked before: `whitelist` would also delete or refuse what a class's own field
// initialisers add, and it reports no accepted names.
const OPTIONS: ValidatorOptions = { forbidUnknownValues: true, validationError: { target: false } };

export function createClassStack(shape: ObjectShape): ClassStack {
  const classes = [...indexShapes(shape).values()];
  const targetMaps = classes.map(derivedTypes);
  const isAsync = classes.some(mayBeAsync);
  const hydrate = (plain: PlainObject): object => toInstance(shape.id, plain, targetMaps);
  return Object.freeze({
    hydrate,
    run: (plain: PlainObject, prepare?: (instance: object) => void) => {
      const instance = hydrate(plain);
      prepare?.(instance);
      if (!isAsync) return toResult(instance, validateSync(instance, OPTIONS));
      return validate(instance, OPTIONS).then((errors) => toResult(instance, errors));
    },
  });
}

/** Conversions that no @Type asks for: nested classes known from the emitted type, and dates. */
function derivedTypes(shape: ObjectShape): TargetMap {
  const properties: Record<string, Class> = {};
  for (const { property, derivedType } of shape.properties) {
    if (derivedType !== undefined) properties[property] = derivedType;
  }
  return { target: shape.id, properties: properties };
}

/**
 * validateSync treats a promise as acceptance, and a user's validator need not declare that it is asynchronous.
 * So every DTO with a user's validator is validated asynchronously.
 */
function mayBeAsync(shape: ObjectShape): boolean {
  return shape.properties.some(({ constraints }) =>
    constraints.some(({ isAsync, isBuiltIn }) => isAsync || !isBuiltIn),
  );
}

function toResult(instance: object, errors: readonly ValidationError[]): StackResult {
  return { instance, failures: errors.map(toFailure) };
}

function toFailure(error: ValidationError): StackFailure {
  return {
    property: error.property,
    value: error.value,
    messages: error.constraints ?? {},
    children: (error.children ?? []).map(toFailure),
  };
}

/** A plain value with only those list items that are likely to be rejected. */
interface ThinValue {
  readonly value: PlainObject;
  /** Moves the items of the instance made from it back to their indexes; omitted items stay holes. */
  readonly spread: Spread;
}

type Spread = (instance: object) => void;
type Members = Record<string, unknown>;

interface ThinClass {
  readonly lists: readonly ThinProperty[];
  /** Nested objects that may have lists themselves. */
  readonly nested: readonly ThinProperty[];
}

interface ThinProperty {
  readonly name: string;
  readonly type: Class;
}

// They look at the length of a list at most, and class-validator does not test holes
const OF_THE_LIST = new Set(['isArray', 'isDefined', 'arrayNotEmpty', 'arrayMinSize', 'arrayMaxSize']);
// These accept every value that the check of a class accepts
const OF_AN_ITEM = new Set(['isDefined', 'isObject']);

/**
 * Removes list items that the compiled check accepts, and items after as many rejected ones as are ever reported:
 * the libraries take a thousand times as long for an item. Their issues with the rest hold for the whole value;
 * if they accept the rest, they get the whole value.
 */
export function createThinLists(
  root: ObjectShape,
  options: Pick<CheckerOptions, 'unknownFields' | 'path'>,
): (value: PlainObject) => ThinValue | undefined {
  const shapes = indexShapes(root);
  const classes = new Map([...shapes].map(([type, shape]) => [type, thinClass(shape)] as const));
  const checkers = new Map<Class, Checker>();
  const checkerOf = (type: Class): Checker => {
    const known = checkers.get(type) ?? createChecker(shapes.get(type) as ObjectShape, options);
    checkers.set(type, known);
    return known;
  };

  const thinObject = (type: Class, given: unknown): ThinValue | undefined => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
    const value: Members = { ...given };
    const spreads: Spread[] = [];
    const { lists, nested } = classes.get(type) as ThinClass;
    for (const { name, type: inner } of lists) {
      const list = value[name];
      if (Array.isArray(list)) spreads.push(...thinList(name, list, inner, value));
    }
    for (const { name, type: inner } of nested) {
      const thin = thinObject(inner, value[name]);
      if (thin === undefined) continue;
      value[name] = thin.value;
      spreads.push((instance) => {
        thin.spread((instance as Members)[name] as object);
      });
    }
    return spreads.length === 0 ? undefined : { value, spread: inOrder(spreads) };
  };
  const thinList = (
    name: string,
    list: readonly unknown[],
    type: Class,
    value: Members,
  ): readonly Spread[] => {
    // class-transformer closes holes, which changes the indexes
    if (list.includes(undefined)) return [];
    const places = refusedPlaces(list, checkerOf(type));
    const thin = places.map((place) => thinObject(type, list[place]));
    if (places.length === list.length && thin.every((one) => one === undefined)) return [];
    value[name] = places.map((place, index) => thin[index]?.value ?? list[place]);
    const spread = (instance: Members): void => {
      const items = instance[name] as readonly object[];
      const whole = new Array<unknown>(list.length);
      for (const [index, place] of places.entries()) {
        thin[index]?.spread(items[index] as object);
        whole[place] = items[index];
      }
      instance[name] = whole;
    };
    return [spread as Spread];
  };
  return (value) => thinObject(root.id, value);
}

function inOrder(spreads: readonly Spread[]): Spread {
  return (instance) => {
    for (const spread of spreads) spread(instance);
  };
}

function refusedPlaces(list: readonly unknown[], { run }: Checker): readonly number[] {
  const places: number[] = [];
  for (let place = 0; place < list.length && places.length < MOST_MADE; place += 1) {
    const item = list[place];
    const isObject = typeof item === 'object' && item !== null;
    if (!isObject || run(item as PlainObject) === undefined) places.push(place);
  }
  return places;
}

function thinClass(shape: ObjectShape): ThinClass {
  const lists: ThinProperty[] = [];
  const nested: ThinProperty[] = [];
  for (const property of shape.properties.every(looksAtItselfOnly) ? shape.properties : []) {
    const conversion = readConversion(shape.id, property);
    if (conversion.kind !== 'instance') continue;
    const { name } = property;
    if (property.shape.kind !== 'array') nested.push({ name, type: conversion.type });
    else if (conversion.takesArrays && isThinList(property)) lists.push({ name, type: conversion.type });
  }
  return { lists, nested };
}

/** User code may look at the other properties of an object. */
function looksAtItselfOnly({ name, conditions, constraints }: PropertyShape): boolean {
  return (
    planConditions(conditions, name).every(({ asks }) => asks !== 'test') &&
    constraints.every(({ isBuiltIn, isConditional }) => isBuiltIn && !isConditional)
  );
}

function isThinList({ shape, constraints }: PropertyShape): boolean {
  const isKnown = (constraint: Constraint): boolean => {
    const { inline, name, each } = planRule(constraint, () => undefined);
    return inline !== undefined && (each ? OF_AN_ITEM : OF_THE_LIST).has(name);
  };
  return (
    shape.kind === 'array' &&
    (shape.items.kind === 'object' || shape.items.kind === 'ref') &&
    constraints.every(isKnown)
  );
}
