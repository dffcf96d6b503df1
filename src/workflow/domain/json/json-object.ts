/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects that JSON could have produced, of any realm: no arrays, no null, no class instances. */
export function isJsonObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The members that JSON would have: own, enumerable, and not undefined. */
export function membersOf(object: JsonObject): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
