/** A plain object with unknown members: the shape of arguments before they are checked. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** The value of JSON text, or undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A longer text is not read where a client may have written an object or list as text. */
const MAX_WRITTEN_LENGTH = 10_000;

/** The object or list that a text has as JSON, as some clients send one; undefined for every other value. */
export function parseWrittenJson(value: unknown): object | undefined {
  if (typeof value !== 'string' || value.length > MAX_WRITTEN_LENGTH) return undefined;
  return /^\s*[[{]/.test(value) ? (parseJson(value) as object | undefined) : undefined;
}

/** True when a value contains more values than the limit; it stops counting there. */
export function hasMoreValues(value: object, most: number): boolean {
  const open: object[] = [value];
  let left = most;
  const take = (item: unknown): boolean => {
    if (typeof item === 'object' && item !== null) open.push(item);
    left -= 1;
    return left < 0;
  };
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (Array.isArray(current)) {
      if (current.length > left) return true;
      for (const item of current) take(item);
    } else {
      // the names alone: Object.values would look up a million members before one is counted
      for (const name in current) if (take((current as PlainObject)[name])) return true;
    }
  }
  return false;
}

/** True for objects of any kind, but for lists. */
export function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for objects that JSON could have produced: no arrays, no null, no class instances. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** True for these members in this order; faster than a comparison of Object.keys(). */
export function hasOnlyNames(value: object, names: readonly string[]): boolean {
  let count = 0;
  for (const name in value) {
    if (name !== names[count]) return false;
    count += 1;
  }
  return count === names.length;
}

/** The value when it is an object, else an empty one. */
export function membersOf(value: unknown): PlainObject {
  return typeof value === 'object' && value !== null ? (value as PlainObject) : {};
}

/** The members that JSON would have: own, enumerable, and not undefined. */
export function jsonEntries(object: PlainObject): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}

/** The same members, each of which is left out where it is undefined. */
type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** The members that are not undefined. */
export function withoutUndefined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(jsonEntries(members as PlainObject)) as Defined<Members>;
}

/**
 * Whether objects and arrays are nested deeper than the limit. It does not recurse, because the value may be hostile.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let places = new Set([value].filter(isPlace));
  for (let level = 1; places.size > 0; level += 1) {
    if (level > levels) return true;
    // Each value once: shared values would be visited again and again, and cycles without end
    places = new Set([...places].flatMap((place) => Object.values(place).filter(isPlace)));
  }
  return false;
}

function isPlace(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

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
