/**
 * Freezes a tree of plain objects and arrays in place and returns it.
 * Functions and class instances are left alone: they belong to whoever made them.
 */
export function deepFreeze<T>(value: T): T {
  if (!isOwnTree(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const key of Reflect.ownKeys(value)) deepFreeze((value as Record<PropertyKey, unknown>)[key]);
  return value;
}

/** Copies a tree of plain objects and arrays; other values are shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => deepCopy(item)) as T;
  if (!isOwnTree(value)) return value;
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;
  for (const key of Object.keys(value)) {
    // defineProperty, because assigning `__proto__` would change the prototype of the copy
    Object.defineProperty(copy, key, {
      value: deepCopy((value as Record<string, unknown>)[key]),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy as T;
}

function isOwnTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
