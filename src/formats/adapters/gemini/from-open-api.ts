import { isPlainObject, type PlainObject } from '../../../shared/json.ts';
import type { RawSchema } from '../../../schema/subschemas.ts';
import { holderOf } from '../../../schema/keywords.ts';
import { COUNTS } from './counts.ts';

/** The schema of a `parameters` field as JSON Schema. It is within the limits already. */
export function fromOpenApi(schema: RawSchema): RawSchema {
  return typeof schema === 'boolean' ? schema : orNull(readNode(schema));
}

function readNode(schema: PlainObject): PlainObject {
  const entries = Object.entries(schema).flatMap(([keyword, value]) => readKeyword(keyword, value));
  return Object.fromEntries(entries);
}

function readKeyword(keyword: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (keyword === 'type' && typeof value === 'string') {
    return value === 'TYPE_UNSPECIFIED' ? [] : [[keyword, value.toLowerCase()]];
  }
  if (COUNTS.has(keyword)) return [[keyword, countOf(value)]];
  if (keyword === 'example') return [['examples', [value]]];
  return [[keyword, readHeld(keyword, value)]];
}

/** Counts are 64-bit integers, which the API's JSON has as text. */
function countOf(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

function readHeld(keyword: string, value: unknown): unknown {
  const holder = holderOf(keyword);
  if (holder === undefined || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(readSchema);
  if (holder !== 'map' || !isPlainObject(value)) return readSchema(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, readSchema(schema)]));
}

function readSchema(value: unknown): unknown {
  return isPlainObject(value) ? fromOpenApi(value) : value;
}

/** `nullable` in the words of JSON Schema. */
function orNull({ nullable, ...node }: PlainObject): PlainObject {
  if (nullable !== true) return node;
  const { type, enum: listed } = node;
  if (typeof type !== 'string') return { anyOf: [node, { type: 'null' }] };
  return {
    ...node,
    type: [type, 'null'],
    ...(Array.isArray(listed) && { enum: listed.includes(null) ? listed : [...(listed as unknown[]), null] }),
  };
}
