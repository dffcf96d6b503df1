import type { JsonSchema } from '../../../shared/json-schema.ts';
import type { ProblemList } from '../../../errors/problem-list.ts';
import { isAnnotation } from './annotation-keywords.ts';
import { freeName, plainName, referenceTo } from './definition-reference.ts';
import type { Definitions } from './read-form.ts';
import { decodeSegment, resolveReference } from './resolve-reference.ts';
import { referencesIn, sharedReferences } from './shared-references.ts';
import { mapSubschemas, toSchemaObject, type Schema } from './subschemas.ts';

/** A schema whose only references are those to its recursive types, and where it is large to its shared ones. */
export interface InlinedSchema {
  readonly schema: JsonSchema;
  /** Those types by name; each is referred to as `#/$defs/<name>`. */
  readonly definitions: Definitions;
}

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

/** Replaces every reference by what it refers to, except where a type contains itself or the schema would grow too large. */
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
  readonly #recursive = new Map<string, boolean>();
  #shared: ReadonlySet<string> = new Set();
  readonly #definitions = new Map<string, JsonSchema>();

  constructor(root: JsonSchema, where: string, problems: ProblemList) {
    this.#root = root;
    this.#where = where;
    this.#problems = problems;
  }

  run(): InlinedSchema {
    this.#shared = sharedReferences(this.#root, {
      resolve: (reference) => this.#resolve(reference),
      isRecursive: (reference) => this.#isRecursive(reference),
    });
    return { schema: toSchemaObject(this.#inline(this.#root)), definitions: this.#definitions };
  }

  #inline = (schema: Schema): Schema => {
    if (typeof schema === 'boolean') return schema;
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !NOT_INLINED.has(keyword)));
    const { $ref, ...rest } = mapSubschemas(kept, this.#inline);
    return $ref === undefined ? rest : join(this.#expand($ref), rest);
  };

  #expand(reference: string): JsonSchema {
    const target = this.#resolve(reference);
    if (!this.#isRecursive(reference) && !this.#shared.has(reference))
      return toSchemaObject(this.#inline(target));
    const known = this.#names.get(reference);
    if (known !== undefined) return { $ref: referenceTo(known) };
    const name = freeName(this.#nameOf(reference, target), new Set(this.#names.values()));
    // named before its members are inlined, because they refer back to it
    this.#names.set(reference, name);
    this.#definitions.set(name, {});
    this.#definitions.set(name, toSchemaObject(this.#inline(target)));
    return { $ref: referenceTo(name) };
  }

  #nameOf(reference: string, target: Schema): string {
    const last = reference.split(/[/#]/).at(-1) ?? '';
    if (last !== '') return plainName(decodeSegment(last));
    const { title } = toSchemaObject(target);
    return typeof title === 'string' ? plainName(title) : 'Input';
  }

  #isRecursive(reference: string): boolean {
    const known = this.#recursive.get(reference);
    if (known !== undefined) return known;
    const reached = new Set<string>();
    const pending = [reference];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const found of referencesIn(this.#resolve(next))) {
        if (!reached.has(found)) pending.push(found);
        reached.add(found);
      }
    }
    this.#recursive.set(reference, reached.has(reference));
    return reached.has(reference);
  }

  #resolve(reference: string): Schema {
    const known = this.#targets.get(reference);
    if (known !== undefined) return known;
    const target = resolveReference(this.#root, reference);
    if (target === undefined) {
      this.#problems.add('TW_COMPILE_SCHEMA_REFERENCE', {
        where: this.#where,
        what: `has a schema that refers to "${reference}", which it does not contain`,
        fix: 'put the type under "$defs" of that schema and refer to it as "#/$defs/<name>"',
      });
    }
    this.#targets.set(reference, target ?? {});
    return target ?? {};
  }
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
