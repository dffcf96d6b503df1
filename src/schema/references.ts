import type { JsonSchema } from '../shared/json-schema.ts';
import type { PlainObject } from '../shared/json.ts';
import { checkSchemaLimits } from './limits.ts';
import { pointTo, tokensOf, valueAt } from './pointer.ts';
import { isSchema, type Schema, walkSchema, type SchemaPlace } from './subschemas.ts';
import { ExternalRefError, InvalidSchemaError } from './schema-errors.ts';

const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef'] as const;

/** A reference in a schema, and the keyword it stands in. */
export interface Reference {
  readonly keyword: (typeof REFERENCE_KEYWORDS)[number];
  readonly value: unknown;
}

/** The references that a schema itself makes, without those of the schemas in it. */
export function referencesIn(schema: PlainObject): readonly Reference[] {
  return REFERENCE_KEYWORDS.filter((keyword) => Object.hasOwn(schema, keyword)).map((keyword) => ({
    keyword,
    value: schema[keyword],
  }));
}

/** The target of a reference inside its own document; undefined if there is no schema. */
export function resolveReference(root: PlainObject, reference: string): Schema | undefined {
  const { $id } = root;
  const isAbsolute = typeof $id === 'string' && $id !== '' && reference.startsWith($id);
  const local = isAbsolute ? reference.slice($id.length) : reference;
  if (local !== '' && !local.startsWith('#')) return undefined;
  const fragment = decodeFragment(local.slice(1));
  if (fragment === undefined) return undefined;
  const found = isPointer(fragment) ? valueAt(root, fragment) : schemaWithAnchor(root, fragment);
  return isSchema(found) ? found : undefined;
}

function schemaWithAnchor(root: PlainObject, anchor: string): PlainObject | boolean | undefined {
  for (const { schema, base } of walkSchema(root)) {
    if (base === '' && anchorsOf(schema).includes(anchor)) return schema;
  }
  return undefined;
}

// A reference may lead to another reference, and a broken one back to itself.
const MOST_REFERENCES = 20;

/** The target of a reference, joined with its neighbours; other schemas are returned unchanged. */
export function dereference(root: JsonSchema, schema: JsonSchema): JsonSchema {
  let current = schema;
  for (let count = 0; count < MOST_REFERENCES && current.$ref !== undefined; count += 1) {
    const { $ref, ...siblings } = current;
    const target = resolveReference(root, $ref);
    if (typeof target !== 'object') return siblings;
    current = { ...target, ...siblings };
  }
  return current;
}

/** Finds the targets of the local references of one document. */
export class References {
  readonly #root: unknown;
  readonly #bases = new Map<string, string>();
  readonly #anchors = new Map<string, string>();

  constructor(root: unknown) {
    this.#root = root;
    this.visit('', '');
  }

  /** Every schema below a pointer, made known to later look-ups. */
  visit(path: string, base: string): readonly SchemaPlace[] {
    const places = [...walkSchema(valueAt(this.#root, path), path, base)];
    for (const place of places) {
      this.#bases.set(place.path, place.base);
      for (const anchor of anchorsOf(place.schema)) this.#anchors.set(`${place.base}#${anchor}`, place.path);
    }
    return places;
  }

  /** True for a place that a walk has reached; a pointer may also lead below an unknown keyword. */
  isVisited(path: string): boolean {
    return this.#bases.has(path);
  }

  /** The pointer that `#` stands for at a place. */
  baseOf(path: string): string {
    return this.#bases.get(path) ?? '';
  }

  /** The pointer to the target of a reference at `path`; undefined if there is no schema. */
  find(path: string, reference: string): string | undefined {
    const base = this.baseOf(path);
    const fragment = decodeFragment(reference.slice(1));
    if (fragment === undefined) return undefined;
    if (!isPointer(fragment)) return this.#anchors.get(`${base}#${fragment}`);
    const target = `${base}${fragment}`;
    const schema = valueAt(this.#root, target);
    return isSchema(schema) ? normalized(target) : undefined;
  }
}

/** Names that a reference can use: `$anchor`, `$dynamicAnchor`, and the `$id` of draft-07 that is a fragment. */
function anchorsOf(schema: PlainObject | boolean): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { $anchor, $dynamicAnchor, $id } = schema;
  const names = [$anchor, $dynamicAnchor].filter((name) => typeof name === 'string');
  return typeof $id === 'string' && $id.startsWith('#') ? [...names, $id.slice(1)] : names;
}

/** True for a fragment that is a pointer, not the name of an anchor. */
function isPointer(fragment: string): boolean {
  return fragment === '' || fragment.startsWith('/');
}

/** The decoded text of a fragment; undefined if its percent encoding is invalid. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign: no such place
    return undefined;
  }
}

/** Decodes and encodes a pointer, which gives `~01` and the like one spelling. */
function normalized(pointer: string): string {
  return pointTo('', ...(tokensOf(pointer) ?? []));
}

/**
 * Checks that a schema can be used: it is within the limits, and all of its references are local and
 * have a target.
 * @throws SchemaTooLargeError, ExternalRefError, InvalidSchemaError
 */
export function checkSchema(schema: unknown): void {
  checkSchemaLimits(schema);
  checkReferences(schema);
}

/**
 * Checks that every reference of a schema stays in its document and has a target. Nothing is ever fetched.
 *
 * The schema has to be within the limits already.
 * @throws ExternalRefError for a `$ref` or `$dynamicRef` other than `#`, `#/…` and `#anchor`
 * @throws InvalidSchemaError for a reference that is not a string, or that leads to nothing
 */
export function checkReferences(schema: unknown): void {
  const references = new References(schema);
  const open = [...references.visit('', '')];
  // Grows while it is read: a reference may lead below a keyword that holds no schemas by itself
  for (const place of open) {
    for (const target of targetsOf(place, references)) {
      if (!references.isVisited(target)) open.push(...references.visit(target, place.base));
    }
  }
}

function targetsOf({ schema, path }: SchemaPlace, references: References): readonly string[] {
  if (typeof schema === 'boolean') return [];
  return referencesIn(schema).map(({ keyword, value }) => {
    const place = pointTo(path, keyword);
    if (typeof value !== 'string') throw new InvalidSchemaError({ path: place, what: 'is not a text.' });
    if (!value.startsWith('#')) {
      throw new ExternalRefError({ path: place, what: `refers to another document: "${shorten(value)}".` });
    }
    const target = references.find(path, value);
    if (target !== undefined) return target;
    const fix = `define what ${keyword} refers to, as in "#/$defs/<name>", or correct the reference`;
    throw new InvalidSchemaError({ path: place, what: `refers to nothing: "${shorten(value)}".`, fix });
  });
}

const SHOWN = 120;

function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
