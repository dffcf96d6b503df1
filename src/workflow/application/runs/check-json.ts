/** Deeper than anything that is meant; engines end somewhere far beyond. */
const DEEPEST = 200;

/** Why something cannot be a context as JSON, as a sentence; undefined if it can. Looks without recursion. */
export function jsonFault(root: unknown, limit: number): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  // Every value has a byte of JSON at least
  for (let seen = 0; seen <= limit; seen += 1) {
    const next = left.pop();
    if (next === undefined) return undefined;
    const { value, depth } = next;
    const fault = depth > DEEPEST ? `It is nested deeper than ${DEEPEST} levels.` : valueFault(value);
    if (fault !== undefined) return fault;
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) left.push({ value: member, depth: depth + 1 });
  }
  return `It has more than ${limit} values.`;
}

function valueFault(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return hasNul(value) ? 'It has U+0000.' : undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : `${value} is not JSON.`;
    case 'boolean':
      return undefined;
    case 'object':
      return value === null || Array.isArray(value) ? undefined : objectFault(value);
    default:
      return `A value of the type ${typeof value} is not JSON.`;
  }
}

function objectFault(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return 'An instance of a class is not JSON.';
  const names = Object.keys(value);
  if (names.includes('__proto__')) return 'A member must not be named __proto__.';
  return names.some(hasNul) ? 'The name of a member has U+0000.' : undefined;
}

/** No store keeps U+0000 in texts. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}
