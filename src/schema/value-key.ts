import type { Meter } from './meter.ts';

// Text is copied once per level that it is nested in.
const CHARACTERS_PER_STEP = 128;

/** Text that is equal for equal JSON values, whatever the order of their members. */
export function valueKey(value: unknown, meter: Meter): string {
  const key = keyOf(value, meter);
  meter.take(1 + Math.floor(key.length / CHARACTERS_PER_STEP));
  return key;
}

function keyOf(value: unknown, meter: Meter): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return scalarKey(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => valueKey(item, meter)).join()}]`;
  const members = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${valueKey(members[key], meter)}`).join()}}`;
}

// 0 and -0 are one value in JSON Schema, and String prints them alike.
function scalarKey(value: unknown): string {
  return typeof value === 'bigint' ? `${String(value)}n` : String(value);
}
