import { ToolwrightError } from '../errors/toolwright-error.ts';
import { nearestName } from '../shared/did-you-mean.ts';

/** What a value must be, unless it is that already. */
export type Check = (value: unknown) => string | undefined;

/** A check for every option there is; TypeScript refuses when one is missing. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>;

/** Refuses names that nobody knows and values that an option cannot have; undefined counts as left out. */
export function checkOptions<Options>(where: string, options: unknown, checks: Checks<Options>): void {
  if (!isObject(options)) throw wrong(where, describe(options), 'be an object');
  const known = Object.keys(checks);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw unknownName(where, name, known);
    const must = value === undefined ? undefined : (checks as Record<string, Check>)[name]?.(value);
    if (must !== undefined) throw wrong(name, describe(value), must);
  }
}

export function wrong(name: string, value: string, must: string): ToolwrightError {
  return new ToolwrightError('TW_SERVER_OPTION', {
    where: name,
    what: `is ${value}`,
    fix: `let ${name} ${must}`,
  });
}

export const isPositive: Check = (value) =>
  typeof value === 'number' && value > 0 ? undefined : 'be a number above 0';

/** Milliseconds, where 0 means never. */
export const isTime: Check = (value) =>
  typeof value === 'number' && value >= 0 && value < Infinity
    ? undefined
    : 'be a finite number of milliseconds, 0 or more';

export const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'be true or false');

export const isFunction: Check = (value) => (typeof value === 'function' ? undefined : 'be a function');

export const isNameList: Check = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' && entry !== '')
    ? undefined
    : 'be an array of strings';

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownName(where: string, name: string, known: readonly string[]): ToolwrightError {
  const nearest = nearestName(name, known);
  return new ToolwrightError('TW_SERVER_OPTION', {
    where,
    what: `has no option ${JSON.stringify(name)}`,
    why: `its options are ${known.join(', ')}`,
    fix: nearest === undefined ? `leave it out; there are ${known.join(', ')}` : `write ${nearest}`,
  });
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(describe).join(', ')}]`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
