import type { JsonSchema } from '../../shared/json-schema.ts';

export type PathSegment = string | number;

// A reference may lead to another reference, and a broken one back to itself.
const MOST_REFERENCES = 20;

/** The schema of the value at a path; undefined where the schema says nothing about it. */
export function schemaAt(root: JsonSchema, path: readonly PathSegment[]): JsonSchema | undefined {
  let current: JsonSchema | undefined = resolve(root, root);
  for (const segment of path) {
    if (current === undefined) return undefined;
    current = step(root, current, segment);
  }
  return current;
}

function step(root: JsonSchema, schema: JsonSchema, segment: PathSegment, depth = 0): JsonSchema | undefined {
  if (depth > MOST_REFERENCES) return undefined;
  const direct = memberOf(schema, segment);
  if (direct !== undefined) return resolve(root, direct);
  for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    const found = step(root, resolve(root, branch), segment, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(schema: JsonSchema, segment: PathSegment): JsonSchema | undefined {
  const { properties, additionalProperties, items } = schema;
  if (properties !== undefined && Object.hasOwn(properties, segment)) return properties[segment];
  if (typeof segment === 'number' && typeof items === 'object') return items;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function resolve(root: JsonSchema, schema: JsonSchema): JsonSchema {
  let current = schema;
  for (let count = 0; count < MOST_REFERENCES && current.$ref !== undefined; count += 1) {
    const { $ref, ...siblings } = current;
    const target = lookUp(root, $ref);
    if (target === undefined) return siblings;
    current = { ...target, ...siblings };
  }
  return current;
}

function lookUp(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: unknown = root;
  for (const segment of reference.slice(2).split('/')) {
    const name = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return typeof found === 'object' && found !== null ? (found as JsonSchema) : undefined;
}
