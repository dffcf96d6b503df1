import { canonicalJson } from '../shared/canonical-json.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { mapSubschemas, subschemasOf, toSchemaObject, type Schema } from './subschemas.ts';

/** The definitions of a schema by name; each is referred to as `#/$defs/<name>`. */
export type Definitions = ReadonlyMap<string, JsonSchema>;

/** A schema with references only to its recursive types and, if it is large, to its shared types. */
export interface InlinedSchema {
  readonly schema: JsonSchema;
  /** Those types. */
  readonly definitions: Definitions;
}

const PREFIX = '#/$defs/';

/** The reference to a definition by its name. */
export function referenceTo(name: string): string {
  return `${PREFIX}${name}`;
}

/** The name in a reference that {@link referenceTo} made. */
export function definitionName(reference: string): string {
  return reference.slice(PREFIX.length);
}

/** A name that needs no escape in a JSON pointer or a URI fragment. */
export function plainName(text: string): string {
  const plain = text.replace(/[^\w.-]+/g, '_');
  return /^_*$/.test(plain) ? 'Type' : plain;
}

/** The name itself, or the name with the first suffix number that makes it free. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  if (!taken.has(name)) return name;
  const plain = name.replace(/_\d+$/, '');
  let number = 2;
  while (taken.has(`${plain}_${String(number)}`)) number += 1;
  return `${plain}_${String(number)}`;
}

/** Schemas of several sources whose references lead into one set of definitions. */
interface PooledSchemas {
  /** In the order of the sources. */
  readonly schemas: readonly JsonSchema[];
  readonly definitions: Definitions;
}

/** Joins the definitions: equal ones become one, whatever their names; different ones of one name are renamed. */
export function poolDefinitions(sources: readonly InlinedSchema[]): PooledSchemas {
  // Without definitions there is nothing to rename, and most schemas have none.
  if (sources.every(({ definitions }) => definitions.size === 0)) {
    return { schemas: sources.map(({ schema }) => schema), definitions: new Map() };
  }
  const identities = definitionIdentities(sources.map(({ definitions }) => definitions));
  const names = new Map<string, string>();
  const pooled = new Map<string, JsonSchema>();
  const schemas = sources.map(({ schema, definitions }, index) => {
    const renamed = new Map<string, string>();
    const added: string[] = [];
    for (const name of definitions.keys()) {
      const identity = identities[index]?.get(name) ?? name;
      const known = names.get(identity);
      const pooledName = known ?? freeName(name, pooled);
      renamed.set(name, pooledName);
      if (known !== undefined) continue;
      names.set(identity, pooledName);
      pooled.set(pooledName, {});
      added.push(name);
    }
    for (const name of added) {
      pooled.set(renamed.get(name) ?? name, rename(definitions.get(name) ?? {}, renamed));
    }
    return rename(schema, renamed);
  });
  return { schemas, definitions: pooled };
}

/** The definitions that the schemas refer to, directly or through others. */
export function neededDefinitions(
  schemas: Iterable<Schema>,
  definitions: Definitions,
): Readonly<Record<string, JsonSchema>> {
  if (definitions.size === 0) return {};
  const needed = reachable(schemas, definitions);
  return Object.fromEntries([...definitions].filter(([name]) => needed.has(name)));
}

/**
 * A text for each definition; equal definitions have equal texts, whatever the names in them. All count as equal at
 * first; each round separates those that refer to different ones.
 */
function definitionIdentities(sources: readonly Definitions[]): readonly ReadonlyMap<string, string>[] {
  let identities = sources.map((definitions) => new Map([...definitions.keys()].map((name) => [name, ''])));
  for (let count = 1, before = 0; count > before;) {
    const numbers = new Map<string, string>();
    const next = sources.map((definitions, index) => {
      const known = identities[index] ?? new Map<string, string>();
      const texts = [...definitions].map(([name, schema]): [string, string] => [
        name,
        canonicalJson(rename(schema, known)),
      ]);
      for (const [, text] of texts) if (!numbers.has(text)) numbers.set(text, String(numbers.size));
      return new Map(texts.map(([name, text]) => [name, numbers.get(text) ?? text]));
    });
    [before, count] = [count, numbers.size];
    identities = next;
  }
  return identities;
}

function reachable(schemas: Iterable<Schema>, definitions: Definitions): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending: Schema[] = [...schemas];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'boolean') continue;
    pending.push(...subschemasOf(next));
    if (next.$ref === undefined) continue;
    const name = definitionName(next.$ref);
    const target = definitions.get(name);
    if (target === undefined || reached.has(name)) continue;
    reached.add(name);
    pending.push(target);
  }
  return reached;
}

function rename(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const change = (subschema: Schema): Schema => {
    if (typeof subschema === 'boolean') return subschema;
    const changed = mapSubschemas(subschema, change);
    if (changed.$ref === undefined) return changed;
    const name = definitionName(changed.$ref);
    return { ...changed, $ref: referenceTo(names.get(name) ?? name) };
  };
  return toSchemaObject(change(schema));
}
