import { deepFreeze } from '../../shared/deep-freeze.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

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
