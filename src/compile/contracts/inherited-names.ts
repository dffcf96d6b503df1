import { walkSchema } from '../../schema/walk.ts';
import { deepCopy } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

/** True when a schema has fields named like members that every object has: `constructor`, `toString`. */
export function hasInheritedNames(root: unknown): boolean {
  return [...walkSchema(root)].some(
    ({ schema }) => isPlainObject(schema) && Object.keys(schema.properties ?? {}).some(isInherited),
  );
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
