import { findCycles } from '../../schema/links.ts';
import { pointTo } from '../../schema/pointer.ts';
import { type RawSchema, heldBy } from '../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { isReference, referenceOf, type Located, type SourceSchema } from './source-schema.ts';

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
  readonly #edges = new Map<string, readonly Way[]>();
  /** The schemas that were found in circles: in any circle, and in endless ones. */
  readonly #found = new Map<boolean, ReadonlySet<string>>();

  constructor(source: SourceSchema) {
    this.#source = source;
  }

  /**
   * True for a schema that can contain itself.
   * @param isEndless whether only circles without optional properties count
   */
  isCyclic(path: string, schema: RawSchema, isEndless = false): boolean {
    this.#explore({ path, schema });
    const known = this.#found.get(isEndless) ?? this.#findCycles(isEndless);
    this.#found.set(isEndless, known);
    return known.has(path);
  }

  /**
   * The place of the reference that closes the first circle of a schema, in the order in which it is written: one answer
   * for all targets, however each of them meets the circle. Undefined where only unused definitions have one.
   * @param isEndless whether only circles without optional properties count
   */
  closingPlace(isEndless: boolean): string | undefined {
    const { path, root } = this.#source;
    const first = this.isCyclic(path, root, isEndless) ? path : undefined;
    const found = first ?? this.#walk(path, ({ to, schema }) => this.isCyclic(to, schema, isEndless))?.to;
    if (found === undefined) return undefined;
    const counts = (way: Way): boolean => !isEndless || !way.isOptional;
    return this.#walk(found, (way, above) => above.has(way.to), counts)?.place;
  }

  /**
   * The first matching reference on the paths from a schema, depth first. Without recursion, because
   * the definitions of a foreign schema may be one long chain.
   */
  #walk(
    start: string,
    isFound: (way: Way, above: ReadonlySet<string>) => boolean,
    counts: (way: Way) => boolean = () => true,
  ): Way | undefined {
    const seen = new Set([start]);
    const above = new Set([start]);
    const open = [{ at: start, ways: this.#waysFrom(start) }];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { done, value: way } = last.ways.next();
      if (done === true) {
        above.delete(last.at);
        open.pop();
      } else if (counts(way)) {
        if (isFound(way, above)) return way;
        if (seen.has(way.to)) continue;
        seen.add(way.to);
        above.add(way.to);
        open.push({ at: way.to, ways: this.#waysFrom(way.to) });
      }
    }
    return undefined;
  }

  #findCycles(isEndless: boolean): ReadonlySet<string> {
    const graph = [...this.#edges].map(([path, ways]) => {
      const counted = ways.filter(({ isOptional }) => !isEndless || !isOptional);
      return [path, counted.map(({ to }) => to)] as const;
    });
    return findCycles(new Map(graph));
  }

  #waysFrom(path: string): ArrayIterator<Way> {
    return (this.#edges.get(path) ?? []).values();
  }

  /** All at once, so that the circles are looked for once. */
  #explore(first: Located): void {
    if (this.#edges.has(first.path)) return;
    const open: Located[] = [first, ...this.#source.targets()];
    for (const target of open) {
      if (this.#edges.has(target.path)) continue;
      this.#found.clear();
      const found = this.#referencesBelow(target.schema, target.path, false);
      this.#edges.set(target.path, found);
      open.push(...found.map(({ to, schema }) => ({ path: to, schema })));
    }
  }

  /** Recursion is safe here: a schema is not deeper than its limits. */
  #referencesBelow(schema: unknown, path: string, isOptional: boolean): readonly Way[] {
    if (!isPlainObject(schema)) return [];
    const target = isReference(schema) ? [this.#wayOf(schema, isOptional)] : [];
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

  #wayOf(node: PlainObject, isOptional: boolean): Way {
    const { path, schema } = this.#source.follow(node);
    return { to: path, schema, isOptional, place: this.#source.placeOf(node, referenceOf(node)) };
  }
}

/** A reference, as an edge to its target. */
interface Way {
  readonly to: string;
  /** Whether it leads through an optional property. */
  readonly isOptional: boolean;
  readonly schema: RawSchema;
  /** Where the reference stands. */
  readonly place: string;
}

function isRequired(schema: PlainObject, path: string): boolean {
  const { required } = schema;
  if (!Array.isArray(required)) return false;
  return required.some((name) => path.endsWith(pointTo('', String(name))));
}
