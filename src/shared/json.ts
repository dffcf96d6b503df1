/** Any value that JSON can carry. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A plain object with unknown members: the shape of arguments before they are checked. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** True for objects that JSON could have produced: no arrays, no null, no class instances. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
