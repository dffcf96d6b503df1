import { isPlainObject } from './json.ts';

/** A deep copy of JSON; members that are undefined or functions are left out, as in JSON. */
export function copyJson<Value>(value: Value): Value {
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => isCarried(member));
  // Not by assignment, which would take a member called __proto__ for the prototype
  return Object.fromEntries(members.map(([key, member]) => [key, copy(member)]));
}

function isCarried(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}
