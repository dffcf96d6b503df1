import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { holderOf, isChecked, type Dialect } from '../keywords.ts';
import { pointTo, valueAt } from '../pointer.ts';
import { InvalidSchemaError } from '../schema-errors.ts';
import { mapHeld, type RawSchema } from '../subschemas.ts';
import { isKnownFormat } from './formats.ts';
import type { SchemaLinks } from './links.ts';
import type { PatternSet } from './pattern-set.ts';
import { withSteps } from './steps.ts';

/** What is needed to rebuild a schema. */
export interface RebuildContext {
  readonly dialect: Dialect;
  readonly links: SchemaLinks;
  readonly patterns: PatternSet;
}

/**
 * A schema with the same meaning, made of validation keywords alone, so that nothing depends on what ajv
 * makes of annotations, `id`, `$async`, ids and anchors. What references lead to stands in `$defs` under names of
 * its own, and every schema counts its steps.
 * @throws InvalidSchemaError, UnsafePatternError
 */
export function rebuildSchema(root: RawSchema, context: RebuildContext): RawSchema {
  return typeof root === 'boolean' ? root : new Rebuilder(root, context).whole();
}

class Rebuilder {
  readonly #root: RawSchema;
  readonly #context: RebuildContext;
  readonly #names = new Map<string, string>();

  constructor(root: RawSchema, context: RebuildContext) {
    this.#root = root;
    this.#context = context;
  }

  whole(): PlainObject {
    const rebuilt = this.#rebuild(this.#root, '') as PlainObject;
    const definitions: Record<string, unknown> = {};
    // Grows while it is read: definitions refer to further ones
    for (const [path, name] of this.#names)
      definitions[name] = this.#rebuild(valueAt(this.#root, path), path);
    return { ...rebuilt, $defs: definitions };
  }

  #rebuild(schema: unknown, path: string): unknown {
    if (!isPlainObject(schema)) return schema;
    const { dialect, links, patterns } = this.#context;
    const [first, ...others] = links.targetsOf(path).map((target) => ({ $ref: this.#referenceTo(target) }));
    if (first !== undefined && dialect === 'draft-07') return first;
    const rebuilt: Record<string, unknown> = { ...first };
    for (const [keyword, value] of Object.entries(schema)) {
      const kept = this.#keep(keyword, value, pointTo(path, keyword), schema);
      if (kept !== undefined) rebuilt[keyword] = kept;
    }
    if (others.length > 0) rebuilt.allOf = [...((rebuilt.allOf ?? []) as readonly unknown[]), ...others];
    return withSteps(sayPrototypeName(rebuilt, path, patterns));
  }

  #keep(keyword: string, value: unknown, path: string, schema: PlainObject): unknown {
    if (!isChecked(keyword, this.#context.dialect)) return undefined;
    this.#addPatterns(keyword, value, path);
    if (holderOf(keyword) === undefined) return isMeant(keyword, value, schema) ? value : undefined;
    return mapHeld(keyword, value, (held, ...tokens) => this.#rebuild(held, pointTo(path, ...tokens)));
  }

  #addPatterns(keyword: string, value: unknown, path: string): void {
    const { patterns } = this.#context;
    if (keyword === 'pattern') patterns.add(String(value), path);
    if (keyword !== 'patternProperties') return;
    for (const source of Object.keys(value as PlainObject)) patterns.add(source, pointTo(path, source));
  }

  #referenceTo(path: string): string {
    if (path === '') return '#';
    const name = this.#names.get(path) ?? `d${String(this.#names.size)}`;
    this.#names.set(path, name);
    return `#/$defs/${name}`;
  }
}

/** An unknown format is an annotation; ajv refuses `nullable` beside no type, and `false` beside a null type. */
function isMeant(keyword: string, value: unknown, schema: PlainObject): boolean {
  if (keyword === 'format') return isKnownFormat(value);
  return keyword !== 'nullable' || (value === true && Object.hasOwn(schema, 'type'));
}

const NAME = '__proto__';
/** Matches that name and no other. */
const EXACT = `^${NAME}$`;
/** Means what the name means as a pattern, and is not the name. */
const PART = `(?:${NAME})`;

/**
 * Expresses in another way what a schema says about members called `__proto__`: ajv passes over that name, so nothing that
 * the schema asks of such a member would be checked.
 * @throws InvalidSchemaError for a dependency on that name, which has no other expression
 */
function sayPrototypeName(schema: PlainObject, path: string, patterns: PatternSet): PlainObject {
  const { properties, patternProperties } = schema;
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    if (!hasName(schema[keyword])) continue;
    throw new InvalidSchemaError({ path, what: `has ${keyword} of "${NAME}", which cannot be checked.` });
  }
  if (!hasName(properties) && !hasName(patternProperties)) return schema;
  const patterned = { ...(patternProperties as PlainObject | undefined) };
  const said: Record<string, unknown> = { ...schema };
  if (hasName(patternProperties)) move(patterned, patternProperties[NAME], PART);
  if (hasName(properties)) {
    move(patterned, properties[NAME], EXACT);
    said.properties = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== NAME));
  }
  for (const source of [EXACT, PART]) patterns.add(source, path);
  return { ...said, patternProperties: patterned };
}

function hasName(map: unknown): map is PlainObject {
  return isPlainObject(map) && Object.hasOwn(map, NAME);
}

/** The spread that made `patterned` has taken the member over under its old name. */
function move(patterned: Record<string, unknown>, schema: unknown, source: string): void {
  Reflect.deleteProperty(patterned, NAME);
  patterned[source] = source in patterned ? { allOf: [patterned[source], schema] } : schema;
}
