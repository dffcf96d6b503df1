/** One text for equal JSON values, whatever the order of their members (compare RFC 8785). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => sorted(member));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members);
}
