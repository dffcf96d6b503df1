/** One text for equal JSON values, whatever the order of their members (RFC 8785). */
export function canonicalJson(value: unknown): string {
  return textOf(value) as string;
}

/** True for values whose JSON is the same but for the order of keys; what is not there counts as null. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}

/** Undefined for what JSON leaves out. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (hasToJson(value)) return textOf(value.toJSON());
  if (Array.isArray(value)) return `[${value.map((item) => textOf(item) ?? 'null').join(',')}]`;
  // By their UTF-16 code units. Not by way of an object, which would put names that are numbers first
  const names = Object.keys(value).sort();
  const members = names.flatMap((name) => {
    const text = textOf((value as Readonly<Record<string, unknown>>)[name]);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
