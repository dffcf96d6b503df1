import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { InvalidSchemaError } from '../../schema/schema-errors.ts';
import type { PatternSet } from './pattern-set.ts';

const NAME = '__proto__';
/** Matches that name and no other. */
const EXACT = `^${NAME}$`;
/** Means what the name means as a pattern, and is not the name. */
const PART = `(?:${NAME})`;

/**
 * Says otherwise what a schema says about members called `__proto__`: ajv passes over that name, so nothing that
 * the schema asks of such a member would be checked.
 * @throws InvalidSchemaError for a dependency on that name, which cannot be said otherwise
 */
export function sayPrototypeName(schema: PlainObject, path: string, patterns: PatternSet): PlainObject {
  const { properties, patternProperties } = schema;
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    if (!hasName(schema[keyword])) continue;
    throw new InvalidSchemaError({ path, what: `has ${keyword} of "${NAME}", which cannot be checked.` });
  }
  if (!hasName(properties) && !hasName(patternProperties)) return schema;
  const patterned = { ...(patternProperties as PlainObject | undefined) };
  const said: Record<string, unknown> = { ...schema };
  if (hasName(patternProperties)) move(patterned, patternProperties[NAME], PART);
  if (hasName(properties)) {
    move(patterned, properties[NAME], EXACT);
    said.properties = Object.fromEntries(Object.entries(properties).filter(([name]) => name !== NAME));
  }
  for (const source of [EXACT, PART]) patterns.add(source, path);
  return { ...said, patternProperties: patterned };
}

function hasName(map: unknown): map is PlainObject {
  return isPlainObject(map) && Object.hasOwn(map, NAME);
}

/** The spread that made `patterned` has taken the member over under its old name. */
function move(patterned: Record<string, unknown>, schema: unknown, source: string): void {
  Reflect.deleteProperty(patterned, NAME);
  patterned[source] = source in patterned ? { allOf: [patterned[source], schema] } : schema;
}
