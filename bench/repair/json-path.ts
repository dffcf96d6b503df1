export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export type Path = readonly (string | number)[];

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The paths of all members, those of an owner before its own. */
export function listPaths(value: Json, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, member]) => {
    const place = [...path, isList ? Number(name) : name];
    return [place, ...listPaths(member, place)];
  });
}

/** Own members only. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string | number, Json>>)[name];
  }
  return found;
}

/** A copy with another value at a path. */
export function put<T extends Json>(value: T, path: Path, member: Json): T {
  const [name, ...rest] = path;
  if (name === undefined) return member as T;
  const inner = rest.length === 0 ? member : put(valueAt(value, [name]) ?? {}, rest, member);
  if (!Array.isArray(value)) return { ...(isObject(value) ? value : {}), [name]: inner } as unknown as T;
  return (value as readonly Json[]).map((item, index) => (index === name ? inner : item)) as unknown as T;
}

/** A copy without what is at a path. */
export function remove<T extends Json>(value: T, path: Path): T {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const inner = valueAt(value, [name]);
  if (rest.length > 0) return inner === undefined ? value : put(value, [name], remove(inner, rest));
  const kept = Object.entries(value as object).filter(([other]) => other !== String(name));
  if (Array.isArray(value)) return kept.map(([, item]) => item as Json) as unknown as T;
  return Object.fromEntries(kept) as unknown as T;
}

/** A copy in which a field has another name, at the same place among the others. */
export function rename(args: JsonObject, path: Path, name: string): JsonObject {
  const above = path.slice(0, -1);
  const owner = valueAt(args, above) as JsonObject;
  const entries = Object.entries(owner).map(([other, value]) => [
    other === path.at(-1) ? name : other,
    value,
  ]);
  return put(args, above, Object.fromEntries(entries) as JsonObject);
}
