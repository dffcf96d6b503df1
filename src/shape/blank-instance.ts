import { plainToInstance } from 'class-transformer';
import type { Class } from '../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import { atAnotherMoment } from './another-moment.ts';
import { hasOwnNames } from './transformer-metadata.ts';

/** An instance as it is without any input; undefined when the class cannot be constructed that way. */
export function blankInstance(target: Class): object | undefined {
  const type = target as new () => object;
  try {
    // without names of the class's own class-transformer does no more, and takes its time for it
    return hasOwnNames(target) ? plainToInstance(type, {}) : new type();
  } catch {
    return undefined;
  }
}

/**
 * The defaults that field initialisers give, as far as JSON can carry them.
 * A value that differs from one construction to the next, or reads the clock, is not published.
 * @param first a blank instance of the class
 */
export function initialisedDefaults(target: Class, first: object | undefined): ReadonlyMap<string, unknown> {
  const defaults = new Map<string, unknown>();
  const values = Object.entries<unknown>({ ...first }).map(([name, value]) => ({
    name,
    value,
    json: jsonText(value),
  }));
  if (values.every(({ json }) => json === undefined)) return defaults;
  const second = atAnotherMoment(() => blankInstance(target)) as Record<string, unknown> | undefined;
  if (second === undefined) return defaults;
  for (const { name, value, json } of values) {
    const isSteady = json !== undefined && json === jsonText(second[name]);
    if (isSteady && !readsClock(value)) defaults.set(name, deepFreeze(deepCopy(JSON.parse(json))));
  }
  return defaults;
}

function jsonText(value: unknown): string | undefined {
  if (value instanceof Date || value instanceof Map || value instanceof Set) return undefined;
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const A_MINUTE = 60_000;

function readsClock(value: unknown): boolean {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Math.abs(time - Date.now()) < A_MINUTE;
}
