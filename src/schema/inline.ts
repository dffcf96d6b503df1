import type { ProblemList } from '../errors/problem-list.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { findCycles } from './links.ts';
import { freeName, plainName, referenceTo, type InlinedSchema } from './definitions.ts';
import { isAnnotation } from './keywords.ts';
import { tokensOf } from './pointer.ts';
import { decodeFragment, resolveReference } from './references.ts';
import {
  mapSubschemas,
  subschemasOf,
  toSchemaObject,
  walkSchema,
  type RawSchema,
  type Schema,
} from './subschemas.ts';

/**
 * About how many characters a schema may have before types that it uses more than once become definitions.
 * Below that they are written wherever they are used: clients read that more easily.
 */
export const LARGEST_INLINED = 32_768;

const NOT_INLINED = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
  '$vocabulary',
]);

const HAS_REFERENCES = new RegExp(`"(?:\\$ref|${[...NOT_INLINED].join('|').replaceAll('$', '\\$')})":`);

/** Replaces every reference by its target, unless a type contains itself or the schema would grow too large. */
export function inlineReferences(root: JsonSchema, where: string, problems: ProblemList): InlinedSchema {
  // most schemas have none, and every strategy asks for all of them
  if (!HAS_REFERENCES.test(JSON.stringify(root))) return { schema: root, definitions: new Map() };
  return new Inliner(root, where, problems).run();
}

class Inliner {
  readonly #root: JsonSchema;
  readonly #where: string;
  readonly #problems: ProblemList;
  readonly #targets = new Map<string, Schema>();
  readonly #names = new Map<string, string>();
  /** The references that stay. */
  #kept: ReadonlySet<string> = new Set();
  readonly #definitions = new Map<string, JsonSchema>();

  constructor(root: JsonSchema, where: string, problems: ProblemList) {
    this.#root = root;
    this.#where = where;
    this.#problems = problems;
  }

  run(): InlinedSchema {
    const uses = this.#countUses();
    const below = new Map([...uses.keys()].map((each) => [each, referencesIn(this.#resolve(each))]));
    const recursive = findCycles(below);
    const isLarge = this.#sizeInlined(recursive, [...uses.keys()]) > LARGEST_INLINED;
    const shared = isLarge ? [...uses].filter(([, count]) => count > 1).map(([reference]) => reference) : [];
    this.#kept = new Set([...recursive, ...shared]);
    return { schema: toSchemaObject(this.#inline(this.#root)), definitions: this.#definitions };
  }

  /** The number of uses of each reference, in the schema and in the targets of references. */
  #countUses(): ReadonlyMap<string, number> {
    const uses = new Map<string, number>();
    const pending: Schema[] = [this.#root];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const reference of referencesIn(next)) {
        const count = uses.get(reference) ?? 0;
        if (count === 0) pending.push(this.#resolve(reference));
        uses.set(reference, count + 1);
      }
    }
    return uses;
  }

  /** The characters of the schema and its recursive types, with all other references written out. */
  #sizeInlined(recursive: ReadonlySet<string>, references: readonly string[]): number {
    const sizes = new Map<string, number>();
    const sizeOf = (schema: Schema): number =>
      referencesIn(schema)
        .filter((reference) => !recursive.has(reference))
        .reduce((sum, reference) => {
          const size = sizes.get(reference) ?? sizeOf(this.#resolve(reference));
          sizes.set(reference, size);
          return sum + size;
        }, textSize(schema));
    return references
      .filter((reference) => recursive.has(reference))
      .reduce((sum, reference) => sum + sizeOf(this.#resolve(reference)), sizeOf(this.#root));
  }

  #inline = (schema: Schema): Schema => {
    if (typeof schema === 'boolean') return schema;
    const entries = Object.entries(schema).filter(([keyword]) => !NOT_INLINED.has(keyword));
    const kept: JsonSchema = Object.fromEntries(entries);
    const { $ref, ...rest } = mapSubschemas(kept, this.#inline);
    return $ref === undefined ? rest : join(this.#expand($ref), rest);
  };

  #expand(reference: string): JsonSchema {
    const target = this.#resolve(reference);
    if (!this.#kept.has(reference)) return toSchemaObject(this.#inline(target));
    const known = this.#names.get(reference);
    if (known !== undefined) return { $ref: referenceTo(known) };
    const name = freeName(nameOf(reference, target), new Set(this.#names.values()));
    // named before its members are inlined, because they refer back to it
    this.#names.set(reference, name);
    this.#definitions.set(name, {});
    this.#definitions.set(name, toSchemaObject(this.#inline(target)));
    return { $ref: referenceTo(name) };
  }

  #placeOf(reference: string): string {
    for (const { schema, path } of walkSchema(this.#root)) {
      if (isReferenceTo(schema, reference)) return ` at ${path}`;
    }
    return '';
  }

  #resolve(reference: string): Schema {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    const target = resolveReference(this.#root, reference);
    if (target === undefined) {
      this.#problems.add('TW_COMPILE_SCHEMA_REFERENCE', {
        where: this.#where,
        what: `has a schema that refers to "${reference}"${this.#placeOf(reference)}, which it does not contain`,
        fix: 'put the type under "$defs" of that schema and refer to it as "#/$defs/<name>"',
      });
    }
    this.#targets.set(reference, target ?? {});
    return target ?? {};
  }
}

function isReferenceTo(schema: RawSchema, reference: string): boolean {
  return typeof schema === 'object' && schema['$ref'] === reference;
}

/** The name of a definition for the target of a reference. */
function nameOf(reference: string, target: Schema): string {
  const fragment = decodeFragment(reference.slice(reference.indexOf('#') + 1)) ?? '';
  const last = (tokensOf(fragment) ?? [fragment]).at(-1) ?? '';
  if (last !== '') return plainName(last);
  const { title } = toSchemaObject(target);
  return typeof title === 'string' ? plainName(title) : 'Input';
}

/** A reference may have neighbours: annotations override, limits apply beside the target's. */
function join(target: JsonSchema, neighbours: JsonSchema): JsonSchema {
  const entries = Object.entries(neighbours);
  const annotations = Object.fromEntries(entries.filter(([keyword]) => isAnnotation(keyword)));
  const limits = Object.fromEntries(entries.filter(([keyword]) => !isAnnotation(keyword)));
  if (Object.keys(limits).length === 0) return { ...target, ...annotations };
  if (Object.keys(target).length === 0) return neighbours;
  return { ...annotations, allOf: [target, limits] };
}

/** Every reference in a schema except those in its definitions, once per use. */
function referencesIn(schema: Schema): readonly string[] {
  if (typeof schema === 'boolean') return [];
  const { $defs, definitions, $ref, ...rest } = schema;
  const below = subschemasOf(rest).flatMap(referencesIn);
  return $ref === undefined ? below : [$ref, ...below];
}

function textSize(schema: Schema): number {
  if (typeof schema === 'boolean') return 5;
  const { $defs, definitions, ...rest } = schema;
  return JSON.stringify(rest).length;
}
