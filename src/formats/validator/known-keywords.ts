import type { Dialect } from '../../schema/keywords.ts';

/** How a keyword that counts in validation holds what it holds. */
export type KeywordKind = 'value' | 'schema' | 'list' | 'map' | 'items' | 'patterns';

type Keywords = Readonly<Record<string, KeywordKind>>;

const BOTH: Keywords = {
  type: 'value',
  enum: 'value',
  const: 'value',
  multipleOf: 'value',
  maximum: 'value',
  exclusiveMaximum: 'value',
  minimum: 'value',
  exclusiveMinimum: 'value',
  maxLength: 'value',
  minLength: 'value',
  pattern: 'value',
  format: 'value',
  maxItems: 'value',
  minItems: 'value',
  uniqueItems: 'value',
  maxProperties: 'value',
  minProperties: 'value',
  required: 'value',
  // of OpenAPI, and understood by ajv
  nullable: 'value',
  items: 'items',
  contains: 'schema',
  additionalProperties: 'schema',
  properties: 'map',
  patternProperties: 'patterns',
  propertyNames: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  not: 'schema',
  dependencies: 'map',
};

const KEYWORDS: Readonly<Record<Dialect, Keywords>> = {
  '2020-12': {
    ...BOTH,
    prefixItems: 'list',
    maxContains: 'value',
    minContains: 'value',
    dependentRequired: 'value',
    dependentSchemas: 'map',
    unevaluatedItems: 'schema',
    unevaluatedProperties: 'schema',
  },
  'draft-07': { ...BOTH, additionalItems: 'schema' },
};

/** How a keyword of the dialect counts in validation; undefined for annotations and unknown ones. */
export function kindOf(keyword: string, dialect: Dialect): KeywordKind | undefined {
  const keywords = KEYWORDS[dialect];
  return Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
}
