import { plainToInstance } from 'class-transformer';
import type { Class } from '../shared/class-type.ts';
import { deepCopy, deepFreeze } from '../shared/deep-freeze.ts';
import { atAnotherMoment } from './another-moment.ts';

/** An instance as it is without any input; undefined when the class cannot be constructed that way. */
export function blankInstance(target: Class): object | undefined {
  try {
    return plainToInstance(target as new () => object, {});
  } catch {
    return undefined;
  }
}

/**
 * The defaults that field initialisers give, as far as JSON can carry them.
 * A value that differs from one construction to the next, or reads the clock, is not published.
 */
export function initialisedDefaults(target: Class): ReadonlyMap<string, unknown> {
  const first = blankInstance(target);
  const second = atAnotherMoment(() => blankInstance(target));
  const defaults = new Map<string, unknown>();
  if (first === undefined || second === undefined) return defaults;
  for (const [name, value] of Object.entries(first)) {
    const json = jsonText(value);
    const isSteady = json !== undefined && json === jsonText((second as Record<string, unknown>)[name]);
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
