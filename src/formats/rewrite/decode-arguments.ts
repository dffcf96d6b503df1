import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { DecodeNotes } from './decode-notes.ts';
import { fits, followPointer } from './fits.ts';
import { hasType } from './types.ts';

/** An emitted schema, and how to undo what was done to its values. */
export interface Decoder {
  readonly root: PlainObject;
  readonly notes: DecodeNotes;
}

/** Deeper than any schema: what is below was not rewritten, or was made to exhaust the stack. */
const MAX_DEPTH = 200;

/** The arguments that a provider sent, as the original schema wants them. Nothing is added, and nothing is checked. */
export function decodeArguments(decoder: Decoder, value: unknown): unknown {
  return decode(decoder, decoder.root, value, 0);
}

function decode(decoder: Decoder, schema: unknown, value: unknown, depth: number): unknown {
  if (!isPlainObject(schema) || depth > MAX_DEPTH) return value;
  const note = decoder.notes.get(schema) ?? {};
  if (note.openTypes !== undefined) return parse(value, note.openTypes);
  if (typeof value === 'string' && note.values?.has(value) === true) return note.values.get(value);
  const below = alternativesOf(decoder, schema, value).reduce(
    (decoded, each) => decode(decoder, each, decoded, depth + 1),
    value,
  );
  if (Array.isArray(below))
    return below.map((item, index) => decode(decoder, itemOf(schema, index), item, depth + 1));
  return isPlainObject(below) ? decodeMembers(decoder, schema, below, depth) : below;
}

/** What is not JSON of these types is a text, which may be a value of its own. */
function parse(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  try {
    const parsed = JSON.parse(value) as unknown;
    return types.length === 0 || types.some((type) => hasType(parsed, type)) ? parsed : value;
  } catch {
    return value;
  }
}

/** The other schemas that describe the same value. */
function alternativesOf(decoder: Decoder, schema: PlainObject, value: unknown): readonly unknown[] {
  const { root } = decoder;
  if (typeof schema.$ref === 'string') return [followPointer(schema.$ref, root)];
  const chosen = [schema.anyOf, schema.oneOf].flatMap((branches) => {
    const fitting = listOf(branches).filter((branch) => fits(branch, value, root));
    const encoded = fitting.filter((branch) => isEncoded(decoder, branch, value, 0));
    return [...encoded, ...fitting].slice(0, 1);
  });
  return [...listOf(schema.allOf), ...chosen];
}

/** True for a text that stands for another value here. A plain text would fit any text, and hide that. */
function isEncoded(decoder: Decoder, schema: unknown, value: unknown, depth: number): boolean {
  if (typeof value !== 'string' || !isPlainObject(schema) || depth > MAX_DEPTH) return false;
  const { openTypes, values } = decoder.notes.get(schema) ?? {};
  if (values?.has(value) === true) return true;
  if (openTypes !== undefined) return parse(value, openTypes) !== value;
  const others =
    typeof schema.$ref === 'string' ? [followPointer(schema.$ref, decoder.root)] : listOf(schema.anyOf);
  return others.some((each) => isEncoded(decoder, each, value, depth + 1));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function itemOf({ items, prefixItems }: PlainObject, index: number): unknown {
  return Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
}

function decodeMembers(
  decoder: Decoder,
  schema: PlainObject,
  value: PlainObject,
  depth: number,
): PlainObject {
  const { keys, absentAsNull } = decoder.notes.get(schema) ?? {};
  const properties = isPlainObject(schema.properties) ? schema.properties : {};
  const members = Object.entries(value)
    .filter(([key, member]) => member !== null || absentAsNull?.has(key) !== true)
    .map(([key, member]) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
      return [keys?.get(key) ?? key, decode(decoder, inner, member, depth + 1)] as const;
    });
  return Object.fromEntries(members);
}
