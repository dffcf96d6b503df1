/**
 * The values of a TypeScript enum or const object, without the reverse mapping of numeric enums.
 * class-validator itself drops every value whose key begins with a digit from its message.
 */
export function enumValues(entity: unknown): readonly (string | number)[] {
  if (typeof entity !== 'object' || entity === null) return [];
  const members = entity as Readonly<Record<string, unknown>>;
  const values = Object.keys(members)
    .filter((key) => !isReverseMapping(members, key))
    .map((key) => members[key])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return Object.freeze([...new Set(values)]);
}

function isReverseMapping(members: Readonly<Record<string, unknown>>, key: string): boolean {
  const name = members[key];
  return String(Number(key)) === key && typeof name === 'string' && members[name] === Number(key);
}
