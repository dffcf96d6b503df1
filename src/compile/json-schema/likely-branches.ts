import { isPlainObject } from '../../shared/json.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';

/** The branches of a union that a value is meant for, as its tags tell; all of them where no tag fits. */
export function likelyBranches(branches: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  if (!isPlainObject(value)) return branches;
  const fitting = branches.filter((branch) =>
    tagsOf(branch).every(([name, values]) => !Object.hasOwn(value, name) || values.includes(value[name])),
  );
  const confirmed = fitting.filter((branch) => tagsOf(branch).some(([name]) => Object.hasOwn(value, name)));
  if (confirmed.length > 0) return confirmed;
  return fitting.length > 0 ? fitting : branches;
}

/** The properties whose values are listed. */
function tagsOf({ properties = {} }: JsonSchema): readonly (readonly [string, readonly unknown[]])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const values = schema.const === undefined ? schema.enum : [schema.const];
    return values === undefined ? [] : [[name, values] as const];
  });
}
