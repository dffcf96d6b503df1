import { createHash } from 'node:crypto';
import { isPlainObject } from '../../shared/json.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import { pointTo } from '../../schema/pointer.ts';
import { describeValue } from '../../shared/describe-value.ts';

/**
 * A copy whose members are in the order of their names, so that equal schemas become equal text. Members that
 * are undefined are left out, as in JSON. The schema has to be within the limits already.
 * @throws InvalidSchemaError for a value that JSON does not have
 */
export function canonicalCopy(value: unknown, path = ''): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, position) => canonicalCopy(item, pointTo(path, position)));
  }
  if (!isPlainObject(value))
    throw new InvalidSchemaError({ path, what: `is ${describeValue(value)}, which JSON does not have.` });
  const copy: object = {};
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    // defineProperty, because assigning `__proto__` would change the prototype of the copy
    Object.defineProperty(copy, key, {
      value: canonicalCopy(value[key], pointTo(path, key)),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Equal schemas give equal text. */
export function textOf(copy: unknown): string {
  return JSON.stringify(copy);
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
