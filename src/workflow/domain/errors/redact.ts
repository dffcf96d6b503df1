const SECRET_NAMES = new Set(['password', 'token', 'secret', 'key', 'authorization']);
const REDACTED = '[REDACTED]';
const CUT = '[…]';
// Code that writes it to a log or to a client recurses for each of them
const MOST_LEVELS = 100;

/** An object or an array that has to be copied. */
interface Place {
  readonly source: object;
  readonly copy: object;
  readonly level: number;
}

/**
 * A copy of a JSON value without the values of members that are named like secrets, at any depth. Beneath 100
 * levels everything ends in `[…]`.
 */
export function redact(value: unknown): unknown {
  const copies = new Map<object, Place>();
  const copyOf = (source: unknown, level: number): unknown => {
    if (typeof source !== 'object' || source === null) return source;
    const known = copies.get(source);
    if (known !== undefined) return known.copy;
    if (level > MOST_LEVELS) return CUT;
    const copy = Array.isArray(source) ? [] : {};
    copies.set(source, { source, copy, level });
    return copy;
  };
  const redacted = copyOf(value, 1);
  // Grows on the way
  for (const { source, copy, level } of copies.values()) {
    for (const [name, member] of Object.entries(source)) {
      const isSecret = !Array.isArray(source) && SECRET_NAMES.has(name.toLowerCase());
      const inner = isSecret ? REDACTED : copyOf(member, level + 1);
      // Assigned, a member of the name __proto__ would change the prototype of the copy
      Object.defineProperty(copy, name, {
        value: inner,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return redacted;
}
