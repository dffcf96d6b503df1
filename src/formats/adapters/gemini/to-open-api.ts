import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import { holderOf } from '../../../schema/keywords.ts';
import { COUNTS } from './counts.ts';

/** An emitted schema in the spelling of a `parameters` field. */
export function toOpenApi(schema: PlainObject): PlainObject {
  const entries = Object.entries(schema).map(
    ([keyword, value]) => [keyword, writeValue(keyword, value)] as const,
  );
  return Object.fromEntries(entries);
}

function writeValue(keyword: string, value: unknown): unknown {
  if (keyword === 'type' && typeof value === 'string') return value.toUpperCase();
  if (COUNTS.has(keyword)) return String(value);
  const holder = holderOf(keyword);
  if (holder === undefined) return value;
  if (Array.isArray(value)) return value.map(writeSchema);
  if (holder !== 'map' || !isPlainObject(value)) return writeSchema(value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writeSchema(inner)]));
}

function writeSchema(value: unknown): unknown {
  return isPlainObject(value) ? toOpenApi(value) : value;
}
