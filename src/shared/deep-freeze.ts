/**
 * Freezes a tree of plain objects and arrays in place and returns it. It skips functions, class instances,
 * non-enumerable members and symbols.
 */
export function deepFreeze<T>(value: T): T {
  if (!isOwnTree(value) || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value) as unknown[]) deepFreeze(part);
  return value;
}

/** Whether a value is a tree of plain objects and arrays that nobody can change any more, or no object at all. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return isOwnTree(value) && Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

const ORDINARY = { writable: true, enumerable: true, configurable: true };

/** Copies a tree of plain objects and arrays; other values are shared. */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => deepCopy(item)) as T;
  if (!isOwnTree(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const [key, original] of Object.entries(value)) {
    const item: unknown = deepCopy(original);
    // Assigning `__proto__` would change the prototype of the copy.
    if (key === '__proto__') Object.defineProperty(copy, key, { ...ORDINARY, value: item });
    else copy[key] = item;
  }
  return copy as T;
}

/** {@link deepCopy}, frozen. What is frozen throughout already is shared: nobody can change it. */
export function frozenCopy<T>(value: T): T {
  if (!isOwnTree(value) || isDeeplyFrozen(value)) return value;
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenCopy(item))) as T;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const key of Object.keys(value)) {
    const item = frozenCopy((value as Record<string, unknown>)[key]);
    if (key === '__proto__') Object.defineProperty(copy, key, { ...ORDINARY, value: item });
    else copy[key] = item;
  }
  return Object.freeze(copy) as T;
}

function isOwnTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
