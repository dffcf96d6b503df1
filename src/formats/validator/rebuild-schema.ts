import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../canonical/tool.ts';
import type { Dialect } from '../../schema/keywords.ts';
import { pointTo, valueAt } from '../../schema/pointer.ts';
import { isKnownFormat } from '../../schema/known-formats.ts';
import { kindOf } from './known-keywords.ts';
import type { PatternSet } from './pattern-set.ts';
import { sayPrototypeName } from './prototype-name.ts';
import type { SchemaLinks } from './schema-links.ts';
import { STEP_KEYWORD, stepsOf } from './step-keyword.ts';

/** What is needed to rebuild a schema. */
export interface RebuildContext {
  readonly dialect: Dialect;
  readonly links: SchemaLinks;
  readonly patterns: PatternSet;
}

/**
 * A schema that says the same with nothing in it but keywords of validation, so that nothing depends on what ajv
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
    if (Object.keys(rebuilt).length === 0) return rebuilt;
    const said = sayPrototypeName(rebuilt, path, patterns);
    return { ...said, [STEP_KEYWORD]: stepsOf(said) };
  }

  #keep(keyword: string, value: unknown, path: string, schema: PlainObject): unknown {
    switch (kindOf(keyword, this.#context.dialect)) {
      case undefined:
        return undefined;
      case 'value':
        if (keyword === 'pattern') this.#context.patterns.add(String(value), path);
        return isMeant(keyword, value, schema) ? value : undefined;
      case 'schema':
        return this.#rebuild(value, path);
      case 'list':
        return this.#list(value, path);
      case 'items':
        return Array.isArray(value) ? this.#list(value, path) : this.#rebuild(value, path);
      case 'patterns':
        for (const source of Object.keys(value as PlainObject)) {
          this.#context.patterns.add(source, pointTo(path, source));
        }
        return this.#map(value, path);
      case 'map':
        return this.#map(value, path);
    }
  }

  #list(value: unknown, path: string): unknown {
    const schemas = value as readonly unknown[];
    return schemas.map((schema, position) => this.#rebuild(schema, pointTo(path, position)));
  }

  /** What is no schema in it, such as the lists of names in `dependencies`, stays as it is. */
  #map(value: unknown, path: string): unknown {
    const entries = Object.entries(value as PlainObject);
    // Unlike an assignment, this makes a member of `__proto__`
    return Object.fromEntries(
      entries.map(([name, schema]) => [name, this.#rebuild(schema, pointTo(path, name))]),
    );
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
