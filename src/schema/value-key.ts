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
  if (typeof value === 'string') return textKey(value);
  if (typeof value !== 'object' || value === null) return scalarKey(value);
  if (Array.isArray(value)) {
    let key = '[';
    for (const item of value as readonly unknown[]) key += `${valueKey(item, meter)},`;
    return `${key}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  if (names.length > 1) names.sort();
  let key = '{';
  for (const name of names) key += `${textKey(name)}${valueKey(members[name], meter)},`;
  return `${key}}`;
}

/** Where a text ends is known by its length: to escape what is in it would take longer. */
function textKey(text: string): string {
  return `"${String(text.length)}:${text}`;
}

// 0 and -0 are one value in JSON Schema, and String prints them alike.
function scalarKey(value: unknown): string {
  return typeof value === 'bigint' ? `${String(value)}n` : String(value);
}
