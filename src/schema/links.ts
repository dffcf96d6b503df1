import { isPlainObject } from '../shared/json.ts';
import { type RawSchema, type SchemaPlace, heldBy } from './subschemas.ts';
import { InvalidSchemaError, SchemaTooLargeError } from './schema-errors.ts';
import { checkReferences, References, referencesIn, type Reference } from './references.ts';
import { isInPlace, type Dialect } from './keywords.ts';
import { pointTo } from './pointer.ts';

/** The nodes of a graph, with the targets of their edges. */
type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * The nodes that can reach themselves, by Kosaraju's algorithm: linear, and without recursion, because the graph of a
 * foreign schema may be one long chain.
 */
export function findCycles(graph: Graph): ReadonlySet<string> {
  const component = components(finishOrder(graph), reversed(graph));
  const sizes = new Map<string, number>();
  for (const root of component.values()) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  const isCyclic = (node: string): boolean =>
    (sizes.get(component.get(node) ?? '') ?? 0) > 1 || (graph.get(node) ?? []).includes(node);
  return new Set([...graph.keys()].filter(isCyclic));
}

function finishOrder(graph: Graph): readonly string[] {
  const seen = new Set<string>();
  const finished: string[] = [];
  for (const start of graph.keys()) {
    const open: { readonly node: string; readonly isDone: boolean }[] = [{ node: start, isDone: false }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.isDone) finished.push(next.node);
      if (next.isDone || seen.has(next.node)) continue;
      seen.add(next.node);
      open.push({ node: next.node, isDone: true });
      for (const node of graph.get(next.node) ?? []) open.push({ node, isDone: false });
    }
  }
  return finished;
}

function reversed(graph: Graph): Graph {
  const result = new Map<string, string[]>([...graph.keys()].map((node) => [node, []]));
  for (const [from, targets] of graph) for (const to of targets) result.get(to)?.push(from);
  return result;
}

/** Node → the first node of its strongly connected component. */
function components(finished: readonly string[], backward: Graph): ReadonlyMap<string, string> {
  const component = new Map<string, string>();
  for (const root of finished.toReversed()) {
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (component.has(node)) continue;
      component.set(node, root);
      open.push(...(backward.get(node) ?? []));
    }
  }
  return component;
}

// Each costs a function, and making functions takes its time.
const MOST_TARGETS = 2000;
// With `unevaluated…`, every reference costs the names of its target: references times schemas.
const MOST_PRODUCTS = 2_000_000;

/** The schemas in a schema, and where their references lead. */
export interface SchemaLinks {
  /** Every schema that can be reached. */
  readonly places: readonly SchemaPlace[];
  /** Pointers to schemas below keywords that hold no schemas; only references reach them. */
  readonly outside: readonly string[];
  /** The pointers to the targets of the references of the schema at `path`. */
  targetsOf(path: string): readonly string[];
}

/**
 * Resolves every reference once, so that compiling does not meet ids, anchors and encoded pointers.
 * @throws ExternalRefError, InvalidSchemaError, SchemaTooLargeError
 */
export function linkSchema(root: RawSchema, dialect: Dialect): SchemaLinks {
  checkReferences(root);
  const references = new References(root);
  const targets = new Map<string, readonly string[]>();
  const known = new Set<string>();
  const outside: string[] = [];
  const places = [...references.visit('', '')];
  // Grows while it is read
  for (const { path, base, schema } of places) {
    if (targets.has(path)) continue;
    const own = referencesOf(schema, dialect).flatMap(
      ({ value }) => references.find(path, String(value)) ?? [],
    );
    targets.set(path, own);
    for (const target of own) {
      known.add(target);
      if (references.isVisited(target)) continue;
      outside.push(target);
      places.push(...references.visit(target, base));
    }
  }
  if (known.size > MOST_TARGETS) throw tooMany(`refers to more than ${String(MOST_TARGETS)} schemas.`);
  const count = [...targets.values()].reduce((sum, own) => sum + own.length, 0);
  if (count * places.length > MOST_PRODUCTS && places.some(isUnevaluated)) {
    throw tooMany('has too many references for unevaluatedProperties and unevaluatedItems.');
  }
  if (dialect === '2020-12') checkDynamicAnchors(places);
  return { places, outside, targetsOf: (path) => targets.get(path) ?? [] };
}

function isUnevaluated({ schema }: SchemaPlace): boolean {
  return (
    isPlainObject(schema) && ['unevaluatedProperties', 'unevaluatedItems'].some((name) => name in schema)
  );
}

function tooMany(what: string): SchemaTooLargeError {
  return new SchemaTooLargeError({ path: '', what });
}

/** The references that count: draft-07 has no dynamic references. */
function referencesOf(schema: SchemaPlace['schema'], dialect: Dialect): readonly Reference[] {
  if (!isPlainObject(schema)) return [];
  return referencesIn(schema).filter(({ keyword }) => keyword === '$ref' || dialect === '2020-12');
}

/**
 * If every dynamic anchor has a unique name, a dynamic reference works like a plain one. Only embedded documents
 * could share a name; the target of a reference would then depend on the path that led to it.
 */
function checkDynamicAnchors(places: readonly SchemaPlace[]): void {
  const seen = new Map<string, string>();
  const shared = new Set<string>();
  for (const { schema, path } of places) {
    const anchor = textIn(schema, '$dynamicAnchor');
    if (anchor === undefined) continue;
    if ((seen.get(anchor) ?? path) !== path) shared.add(`#${anchor}`);
    seen.set(anchor, path);
  }
  for (const { schema, path } of places) {
    const reference = textIn(schema, '$dynamicRef');
    if (reference === undefined || !shared.has(reference)) continue;
    const what = `has a $dynamicRef to "${reference}", a name that several $dynamicAnchor share.`;
    throw new InvalidSchemaError({ path, what });
  }
}

function textIn(schema: SchemaPlace['schema'], keyword: string): string | undefined {
  const value = isPlainObject(schema) ? schema[keyword] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Refuses a schema that refers to itself without descending into the value: checking a value would never end.
 * JSON Schema 2020-12, core 9.4.1.
 * @throws InvalidSchemaError
 */
export function checkCycles(links: SchemaLinks, dialect: Dialect): void {
  const next = links.places.map(({ schema, path }) => {
    const targets = links.targetsOf(path);
    const ignoresRest = dialect === 'draft-07' && targets.length > 0;
    return [path, ignoresRest ? targets : [...targets, ...inPlace(schema, path)]] as const;
  });
  const [path] = findCycles(new Map(next));
  if (path === undefined) return;
  throw new InvalidSchemaError({ path, what: 'refers back to itself for one and the same value.' });
}

/** The places of the subschemas that apply to the same value. */
function inPlace(schema: unknown, path: string): readonly string[] {
  if (!isPlainObject(schema)) return [];
  return Object.keys(schema)
    .filter(isInPlace)
    .flatMap((keyword) => heldBy(keyword, schema[keyword], pointTo(path, keyword)).map((held) => held.path));
}
