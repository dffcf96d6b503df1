/** One text for equal JSON values, whatever the order of their members (RFC 8785). */
export function canonicalJson(value: unknown): string {
  return textOf(value) as string;
}

/** True for values whose JSON differs only in the order of keys; undefined counts as null. */
export function isSameJson(left: unknown, right: unknown): boolean {
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}

/** Undefined for what JSON leaves out. */
function textOf(given: unknown): string | undefined {
  const value = hasToJson(given) ? given.toJSON() : given;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => textOf(item) ?? 'null').join(',')}]`;
  }
  // By their UTF-16 code units. Not by way of an object, which would put names that are numbers first
  const names = Object.keys(value).sort();
  const members = names.flatMap((name) => {
    const text = textOf((value as Readonly<Record<string, unknown>>)[name]);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}

/** Sorts texts by their code units, which no locale changes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
