import { walkSchema } from '../../schema/subschemas.ts';
import { deepCopy, deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

/** True when a schema has fields named like members that every object has: `constructor`, `toString`. */
export function hasInheritedNames(root: unknown): boolean {
  return [...walkSchema(root)].some(
    ({ schema }) => isPlainObject(schema) && Object.keys(schema.properties ?? {}).some(isInherited),
  );
}

/** Fills in the defaults of such fields, because ajv mistakes the inherited member for a value. */
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

/** A copy of objects without prototypes, for libraries that read inherited members as if they were own ones. */
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

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;
const OUTCOMES = ['then', 'else'] as const;

/** The schema without some of its top-level names, in its branches and the outcomes of its conditions, too. */
export function omitNames<S extends JsonSchema>(schema: S, names: readonly string[]): S {
  if (names.length === 0) return schema;
  const kept: Record<string, unknown> = { ...schema };
  if (schema.properties !== undefined) {
    kept['properties'] = Object.fromEntries(
      Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
    );
  }
  const required = (schema.required ?? []).filter((name) => !names.includes(name));
  if (required.length === 0) delete kept['required'];
  else kept['required'] = required;
  for (const keyword of BRANCHES) {
    const branches = schema[keyword];
    if (branches !== undefined) kept[keyword] = branches.map((branch) => omitNames(branch, names));
  }
  for (const keyword of OUTCOMES) {
    const outcome = schema[keyword];
    if (isPlainObject(outcome)) kept[keyword] = omitNames(outcome, names);
  }
  return deepFreeze(kept) as S;
}

/** True for the one name that changes an object's prototype when it is assigned. */
export function isPrototypeName(name: string): boolean {
  return name === '__proto__';
}
