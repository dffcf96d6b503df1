import { MOST_MADE } from '../../call/issue.ts';
import type { Class } from '../../shared/class-type.ts';
import type { PlainObject } from '../../shared/json.ts';
import { indexShapes, type Constraint, type ObjectShape, type PropertyShape } from '../shape/shape.ts';
import { createChecker, type Checker, type CheckerOptions } from './class-check.ts';
import { planConditions, planRule } from './plan-check.ts';
import { readConversion } from './read-conversion.ts';

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
