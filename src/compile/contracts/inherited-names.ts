import { isPlainObject } from '../../shared/json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { deepCopy } from '../../shared/deep-freeze.ts';

const MAPS_OF_SCHEMAS = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
]);
const DATA = new Set(['const', 'enum', 'default', 'examples', 'dependentRequired']);

/** True when a schema has fields named like members that every object has: `constructor`, `toString`. */
export function hasInheritedNames(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasInheritedNames);
  if (!isPlainObject(schema)) return false;
  return Object.entries(schema).some(([keyword, value]) => {
    if (DATA.has(keyword)) return false;
    if (!MAPS_OF_SCHEMAS.has(keyword) || !isPlainObject(value)) return hasInheritedNames(value);
    const isHere = keyword === 'properties' && Object.keys(value).some(isInherited);
    return isHere || Object.values(value).some(hasInheritedNames);
  });
}

/** A copy in which every schema is changed, those in it first. */
export function mapSubschemas(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inner);
    return isPlainObject(part) ? mapSubschemas(part, change) : part;
  };
  const entries = Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
    if (DATA.has(keyword)) return [keyword, value];
    if (!MAPS_OF_SCHEMAS.has(keyword) || !isPlainObject(value)) return [keyword, inner(value)];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))];
  });
  return change(Object.fromEntries(entries) as JsonSchema);
}

/** Fills in the defaults of such fields: ajv takes the inherited member for a value that is there. */
export function fillInheritedDefaults(value: object, { properties = {} }: JsonSchema): void {
  for (const [name, { default: preset }] of Object.entries(properties)) {
    if (!isInherited(name) || preset === undefined || Object.hasOwn(value, name)) continue;
    Object.defineProperty(value, name, {
      value: deepCopy(preset),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

/** A copy whose objects inherit nothing, for libraries that read members without asking whose they are. */
export function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isPlainObject(value)) return value;
  const bare = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of Object.entries(value)) bare[name] = withoutPrototypes(item);
  return bare;
}

function isInherited(name: string): boolean {
  return name in Object.prototype;
}
