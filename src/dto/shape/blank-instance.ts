import type { Class } from '../../shared/class-type.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { hasOwnNames, toInstance } from './transformer-metadata.ts';

/** An instance as it is without any input; undefined when the class cannot be constructed that way. */
export function blankInstance(target: Class): object | undefined {
  try {
    // if the class renames no properties, class-transformer does the same, only slower
    return hasOwnNames(target) ? toInstance(target, {}) : new (target as new () => object)();
  } catch {
    return undefined;
  }
}

/**
 * The defaults that field initialisers give, if JSON can express them and they are the same at each start. Left out
 * are values that differ between two constructions, and the current time unless the class contains it literally.
 * @param first a blank instance of the class
 */
export function initialisedDefaults(target: Class, first: object | undefined): ReadonlyMap<string, unknown> {
  const defaults = new Map<string, unknown>();
  const values = Object.entries<unknown>({ ...first }).map(([name, value]) => ({
    name,
    json: jsonText(value),
  }));
  if (values.every(({ json }) => json === undefined)) return defaults;
  const second = blankInstance(target) as Record<string, unknown> | undefined;
  if (second === undefined) return defaults;
  for (const { name, json } of values) {
    if (json === undefined || json !== jsonText(second[name])) continue;
    const value = JSON.parse(json) as unknown;
    if (!isOfThisMoment(value) || isWritten(target, name, value)) defaults.set(name, deepFreeze(value));
  }
  return defaults;
}

/** More than compilers put between the name of a property and its initial value. */
const LONGEST_GAP = 120;

/** True if the source of the class or a base class has the value beside the property: each start gives the same. */
function isWritten(target: Class, name: string, value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  for (let each: unknown = target; typeof each === 'function'; each = Object.getPrototypeOf(each)) {
    const [, ...assigned] = Function.prototype.toString.call(each).split(name);
    const initials = assigned.map((text) => text.slice(0, LONGEST_GAP).split(';', 1)[0]);
    if (initials.some((initial) => initial?.includes(String(value)))) return true;
  }
  return false;
}

function jsonText(value: unknown): string | undefined {
  if (value instanceof Date || value instanceof Map || value instanceof Set) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const AN_HOUR = 3_600_000;
/** A day without a time means a different time in each zone. */
const NEAR_DAY = 36 * AN_HOUR;
const NEAR_TIME = AN_HOUR / 60;

/**
 * True if a JSON value is or contains the current time: a date or time as text, or milliseconds or seconds since the
 * epoch. As a default it would differ at the next start.
 */
export function isOfThisMoment(value: unknown): boolean {
  if (typeof value === 'string') return isNear(Date.parse(value), NEAR_DAY);
  if (typeof value === 'number') return isNear(value, NEAR_TIME) || isNear(value * 1000, NEAR_TIME);
  return typeof value === 'object' && value !== null && Object.values(value).some(isOfThisMoment);
}

function isNear(time: number, distance: number): boolean {
  return Math.abs(time - Date.now()) < distance;
}
