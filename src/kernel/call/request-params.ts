import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import { hasMoreValues, isObject } from '../../shared/json.ts';

/** So many values of arguments are checked in a quarter of a second, whatever is wrong with them. */
export const MAX_ARGUMENT_NODES = 10_000;

export type Params = Readonly<Record<string, unknown>>;

/** @throws ProtocolError that names the parameter. */
export function stringOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw wrongParam(name, 'a string', value);
}

/** @throws ProtocolError that names the parameter. */
export function objectOf(value: unknown, name: string): Params {
  if (isObject(value)) return value;
  throw wrongParam(name, 'an object', value);
}

/**
 * Arguments of prompts and of completions, which are strings only; none were given when it is undefined.
 * @throws ProtocolError that names the parameter, also for more than so many of them
 */
export function stringsOf(value: unknown, name: string, maxValues: number): Readonly<Record<string, string>> {
  // some clients send null where there is nothing
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw wrongParam(name, 'an object of strings', value);
  if (hasMoreValues(value, maxValues)) {
    throw new ProtocolError(INVALID_PARAMS, `${name} must have at most ${String(maxValues)} values`);
  }
  for (const [key, member] of Object.entries(value)) stringOf(member, `${name}.${key}`);
  return value as Readonly<Record<string, string>>;
}

export function wrongParam(name: string, expected: string, value: unknown): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `${name} must be ${expected}, but ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  if (Array.isArray(value)) return 'is an array';
  if (typeof value === 'string') return `is ${JSON.stringify(value.slice(0, 40))}`;
  return `is ${typeof value === 'object' ? 'an object' : `a ${typeof value}`}`;
}
