import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { RawSchema } from '../canonical/tool.ts';
import { pointTo } from '../schema/pointer.ts';
import { heldBy } from '../schema/walk-schema.ts';
import { findCycles, type Edge } from './find-cycles.ts';
import { isReference } from './is-reference.ts';
import type { Located, SourceSchema } from './source-schema.ts';

/** Where no provider of the matrix that minds recursion keeps the schemas it holds. */
const NEVER_EMITTED = new Set([
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
  '$defs',
]);

/** Which referenced schemas contain themselves. */
export class Recursion {
  readonly #source: SourceSchema;
  readonly #edges = new Map<string, readonly Edge[]>();
  #cyclic: ReadonlySet<string> | undefined;
  #endless: ReadonlySet<string> | undefined;

  constructor(source: SourceSchema) {
    this.#source = source;
  }

  /** True for a schema that can contain itself. */
  isCyclic(path: string, schema: RawSchema): boolean {
    this.#explore({ path, schema });
    this.#cyclic ??= findCycles(this.#edges);
    return this.#cyclic.has(path);
  }

  /** True for a schema that contains itself on a way without optional properties. */
  isEndless(path: string, schema: RawSchema): boolean {
    this.#explore({ path, schema });
    this.#endless ??= findCycles(this.#edges, ({ isOptional }) => !isOptional);
    return this.#endless.has(path);
  }

  /** All at once, so that the circles are looked for once. */
  #explore(first: Located): void {
    if (this.#edges.has(first.path)) return;
    const open: Located[] = [first, ...this.#source.targets()];
    for (const target of open) {
      if (this.#edges.has(target.path)) continue;
      this.#cyclic = undefined;
      this.#endless = undefined;
      const found = this.#referencesBelow(target.schema, target.path, false);
      this.#edges.set(
        target.path,
        found.map(({ to, isOptional }) => ({ to: to.path, isOptional })),
      );
      open.push(...found.map(({ to }) => to));
    }
  }

  /** Recursion is safe here: a schema is not deeper than its limits. */
  #referencesBelow(schema: unknown, path: string, isOptional: boolean): readonly FoundReference[] {
    if (!isPlainObject(schema)) return [];
    const target = isReference(schema) ? [{ to: this.#source.follow(schema), isOptional }] : [];
    // A target inside this schema is reached by descending as well
    const below = Object.entries(schema).flatMap(([keyword, value]) => {
      if (NEVER_EMITTED.has(keyword)) return [];
      return heldBy(keyword, value, this.#source.placeOf(schema, keyword)).flatMap((child) =>
        this.#referencesBelow(
          child.schema,
          child.path,
          isOptional || (keyword === 'properties' && !isRequired(schema, child.path)),
        ),
      );
    });
    return [...target, ...below];
  }
}

interface FoundReference {
  readonly to: Located;
  readonly isOptional: boolean;
}

function isRequired(schema: PlainObject, path: string): boolean {
  const { required } = schema;
  if (!Array.isArray(required)) return false;
  return required.some((name) => path.endsWith(pointTo('', String(name))));
}
