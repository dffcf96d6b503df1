import { isOfThisMoment } from '../../dto/shape/blank-instance.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';

// What stands below these is no schema, so `default` is no keyword there.
const DATA = new Set(['const', 'enum', 'examples', 'default']);
const NAMED_SCHEMAS = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
]);

export function hasDefaults(schema: JsonSchema): boolean {
  return /"default":/.test(JSON.stringify(schema));
}

/**
 * A schema without the defaults that another reading of it gives otherwise, or that are the time of now: a default that
 * is computed for each call would be published as it was at the start.
 */
export function keepSteadyDefaults(schema: JsonSchema, again: JsonSchema): JsonSchema {
  return keep(schema, again, true) as JsonSchema;
}

function keep(value: unknown, again: unknown, isSchema: boolean): unknown {
  if (Array.isArray(value)) {
    const others = Array.isArray(again) ? (again as readonly unknown[]) : [];
    return value.map((item: unknown, index) => keep(item, others[index], isSchema));
  }
  if (!isPlainObject(value)) return value;
  const others = isPlainObject(again) ? again : {};
  const entries = Object.entries(value).filter(
    ([key, item]) => !(isSchema && key === 'default') || (isSame(item, others[key]) && !isOfThisMoment(item)),
  );
  return Object.fromEntries(
    entries.map(([key, item]) => {
      if (isSchema && DATA.has(key)) return [key, item];
      return [key, keep(item, others[key], !(isSchema && NAMED_SCHEMAS.has(key)))];
    }),
  );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
