/** How a keyword holds schemas. `dependencies` of draft-07 maps to schemas or to lists of names. */
export type SchemaHolder = 'schema' | 'list' | 'map' | 'schema-or-list' | 'dependencies';

/**
 * Every keyword of 2020-12 and draft-07 that holds schemas. What other keywords hold is data: a `$ref` below
 * `enum`, `const`, `default` or `examples` is no reference.
 */
const HOLDERS: ReadonlyMap<string, SchemaHolder> = new Map([
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['items', 'schema-or-list'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['dependentSchemas', 'map'],
  ['patternProperties', 'map'],
  ['properties', 'map'],
  ['dependencies', 'dependencies'],
]);

/** How the keyword holds schemas; undefined for one that holds none. */
export function holderOf(keyword: string): SchemaHolder | undefined {
  return HOLDERS.get(keyword);
}
