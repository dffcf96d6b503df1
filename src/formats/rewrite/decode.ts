import { tokensOf, valueAt } from '../../schema/pointer.ts';
import { isSameJson } from '../../shared/canonical-json.ts';
import { isPlainObject, parseJson, type PlainObject } from '../../shared/json.ts';
import { hasType, listedValues, propertiesOf, typesOf } from './types.ts';

/** The changes to the values of one emitted schema, so that they can be undone. */
export interface DecodeNote {
  /** The value is JSON text of one of these types; of any, where there are none. */
  readonly openTypes?: readonly string[];
  /** Emitted text → the value that it stands for. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** Emitted key → the original one. */
  readonly keys?: ReadonlyMap<string, string>;
  /** Emitted keys of properties whose null means that they are absent. */
  readonly absentAsNull?: ReadonlySet<string>;
}

export type DecodeNotes = WeakMap<object, DecodeNote>;

/** An emitted schema, and how to undo the changes to its values. */
export interface Decoder {
  readonly root: PlainObject;
  readonly notes: DecodeNotes;
}

/** Deeper than any schema: values below were not rewritten, or are meant to exhaust the stack. */
const MAX_DEPTH = 200;

/** The arguments that a provider sent, in the original schema's form. Nothing is added, and nothing is checked. */
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

/** A text that is not JSON of these types stays a text, which may be a valid value. */
function parse(value: unknown, types: readonly string[]): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  if (parsed === undefined) return value;
  return types.length === 0 || types.some((type) => hasType(parsed, type)) ? parsed : value;
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
  const properties = propertiesOf(schema);
  const members = Object.entries(value)
    .filter(([key, member]) => member !== null || absentAsNull?.has(key) !== true)
    .map(([key, member]) => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : schema.additionalProperties;
      return [keys?.get(key) ?? key, decode(decoder, inner, member, depth + 1)] as const;
    });
  return Object.fromEntries(members);
}

/** Arguments in the form of the emitted schema: its keys, and texts for open values, among the members of the root. */
export function encodeArguments({ root, notes }: Decoder, args: PlainObject): PlainObject {
  const keys = new Map([...(notes.get(root)?.keys ?? [])].map(([emitted, original]) => [original, emitted]));
  const properties = propertiesOf(root);
  const members = Object.entries(args).map(([key, value]) => {
    const emitted = keys.get(key) ?? key;
    const schema = Object.hasOwn(properties, emitted) ? properties[emitted] : undefined;
    const isOpen = isPlainObject(schema) && notes.get(schema)?.openTypes !== undefined;
    return [emitted, isOpen ? JSON.stringify(value) : value] as const;
  });
  return Object.fromEntries(members);
}

/**
 * True if a value roughly fits an emitted schema: types, listed values, properties and items. Enough to
 * distinguish alternatives; only the original schema decides whether arguments are valid.
 */
export function fits(schema: unknown, value: unknown, root: PlainObject, depth = 0): boolean {
  if (!isPlainObject(schema)) return schema !== false;
  // A reference to itself, or arguments deeper than any schema
  if (depth > MAX_DEPTH) return true;
  const inner: Fits = (next, part) => fits(next, part, root, depth + 1);
  if (typeof schema.$ref === 'string') return inner(followPointer(schema.$ref, root), value);
  if (schema.nullable === true && value === null) return true;
  if (!isOfType(schema, value) || !isListed(schema, value) || !fitsUnion(schema, value, inner)) return false;
  if (Array.isArray(value)) return value.every((item) => inner(schema.items, item));
  return !isPlainObject(value) || fitsObject(schema, value, inner);
}

function isOfType(schema: PlainObject, value: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.some((type) => hasType(value, type));
}

function isListed(schema: PlainObject, value: unknown): boolean {
  return listedValues(schema)?.some((each) => isSameJson(each, value)) !== false;
}

function fitsUnion({ anyOf, oneOf, allOf }: PlainObject, value: unknown, inner: Fits): boolean {
  const some = anyOf ?? oneOf;
  if (Array.isArray(some) && !some.some((each) => inner(each, value))) return false;
  return !Array.isArray(allOf) || allOf.every((each) => inner(each, value));
}

type Fits = (schema: unknown, value: unknown) => boolean;

function fitsObject(schema: PlainObject, value: PlainObject, inner: Fits): boolean {
  const { required, additionalProperties } = schema;
  if (Array.isArray(required) && !required.every((name) => Object.hasOwn(value, String(name)))) return false;
  const properties = propertiesOf(schema);
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(properties, name) ? inner(properties[name], member) : inner(additionalProperties, member),
  );
}

/** The target of a local pointer of an emitted schema. */
function followPointer(reference: string, root: PlainObject): unknown {
  const pointer = reference.slice(1).split('/').map(decodeURIComponent).join('/');
  return tokensOf(pointer) === undefined ? undefined : valueAt(root, pointer);
}
