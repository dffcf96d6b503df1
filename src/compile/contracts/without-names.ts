import { isPlainObject } from '../../shared/json.ts';

/** A plain object without some of its members; other values as they are. */
export function withoutNames(value: object, names: readonly string[]): object {
  if (!isPlainObject(value) || !names.some((name) => Object.hasOwn(value, name))) return value;
  // Object.fromEntries defines properties, so that every name stays an ordinary one
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
