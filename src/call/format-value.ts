import type { ResultFormat } from './result-format.ts';
import { encodeToon } from '../shared/toon.ts';

/** The text of a value that says nothing. */
export const NOTHING_TO_SAY = 'OK';

/**
 * Turns a handler's value into the text of its result.
 * @throws TypeError for a value that JSON cannot carry (a cycle, a bigint, a function).
 */
export function formatValue(value: unknown, format: ResultFormat = 'json'): string {
  if (value === undefined || value === null || value === '') return NOTHING_TO_SAY;
  if (typeof value === 'string') return value;
  if (format === 'text' && typeof value !== 'object') return primitiveText(value);
  const json = toJson(value, format === 'json' ? 2 : undefined);
  // TOON is encoded from the JSON view, so that toJSON() counts in every format alike
  return format === 'toon' ? encodeToon(JSON.parse(json)) : json;
}

/** The value as JSON would carry it: what a client receives, and what an output is checked as. */
export function jsonView(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(toJson(value));
}

function toJson(value: unknown, indent?: number): string {
  // typed as string by TypeScript, but undefined for functions and symbols
  const text = JSON.stringify(value, isPlainData(value) ? undefined : sendable, indent) as string | undefined;
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be sent as a result`);
  return text;
}

/** Deeper data may be a cycle, which JSON itself finds. */
const DEEPEST = 32;

/** Whether JSON loses nothing of a value: then nobody has to be asked about each part while it is written. */
function isPlainData(value: unknown, depth = 0): boolean {
  // Both may be written by a `toJSON`.
  if (typeof value === 'function' || typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEEPEST || 'toJSON' in value) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) {
    if (!isPlainData((value as Record<string, unknown>)[name], depth + 1)) return false;
  }
  return true;
}

/** JSON writes maps, sets and errors as `{}`, which would lose everything without a word. */
function sendable(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...(value as ReadonlySet<unknown>)];
  if (value instanceof Error) throw new TypeError('An error cannot be sent as a result: throw it instead');
  return value;
}

function primitiveText(value: unknown): string {
  if (typeof value === 'function') throw new TypeError('A function cannot be sent as a result');
  return String(value);
}
