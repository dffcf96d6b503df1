import { isPlainObject } from './json.ts';
import { describeValue } from './describe-value.ts';

/** Where a value is none that JSON carries unchanged, and what stands there instead. */
export interface JsonFault {
  /** Names joined with dots, array indices as numbers; empty for the whole value. */
  readonly path: string;
  readonly found: string;
}

/** The first thing in a value that JSON would lose or change; members that are undefined are left out by it. */
export function jsonFault(value: unknown): JsonFault | undefined {
  return faultAt(value, [], new Set());
}

type Path = readonly (string | number)[];

function faultAt(value: unknown, path: Path, above: ReadonlySet<unknown>): JsonFault | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (above.has(value)) return { path: path.join('.'), found: 'a cycle' };
  const around = new Set([...above, value]);
  if (Array.isArray(value)) return firstFault([...value.entries()], path, around);
  if (!isPlainObject(value) || typeof value['toJSON'] === 'function') {
    return { path: path.join('.'), found: describe(value) };
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return firstFault(members, path, around);
}

function firstFault(
  members: readonly (readonly [string | number, unknown])[],
  path: Path,
  above: ReadonlySet<unknown>,
): JsonFault | undefined {
  for (const [name, member] of members) {
    const fault = faultAt(member, [...path, name], above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function describe(value: unknown): string {
  const words = describeValue(value);
  return words === 'an object' ? 'an object with toJSON()' : words;
}
