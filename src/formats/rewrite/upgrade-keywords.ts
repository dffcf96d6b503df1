import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import type { Dialect } from '../../schema/keywords.ts';

/** A keyword in the vocabulary of 2020-12, and the keyword it is written under. */
export interface UpgradedKeyword {
  readonly keyword: string;
  readonly value: unknown;
  readonly written: string;
}

/** Draft-07 ignores what stands beside a `$ref`; these are no assertions, and texts are worth keeping. */
const BESIDE_REFERENCE = new Set(['$ref', '$defs', 'definitions', '$schema', 'title', 'description']);

/** The keywords of one schema as 2020-12 calls them. A schema of 2020-12 may use the older names as well. */
export function upgradeKeywords(schema: PlainObject, dialect: Dialect): readonly UpgradedKeyword[] {
  const isReference = dialect === 'draft-07' && Object.hasOwn(schema, '$ref');
  return Object.entries(schema)
    .filter(([keyword]) => !isReference || BESIDE_REFERENCE.has(keyword))
    .flatMap(([keyword, value]) => upgradeKeyword(schema, keyword, value, dialect));
}

function upgradeKeyword(
  schema: PlainObject,
  keyword: string,
  value: unknown,
  dialect: Dialect,
): readonly UpgradedKeyword[] {
  if (keyword === 'definitions') return [{ keyword: '$defs', value, written: keyword }];
  if (keyword === 'items' && Array.isArray(value))
    return [{ keyword: 'prefixItems', value, written: keyword }];
  if (keyword === 'additionalItems' && Array.isArray(schema.items)) {
    return [{ keyword: 'items', value, written: keyword }];
  }
  // Beside an `items` that is no list it has no meaning
  if (keyword === 'additionalItems' && dialect === 'draft-07') return [];
  if (keyword === 'dependencies' && isPlainObject(value)) return splitDependencies(value);
  return [{ keyword, value, written: keyword }];
}

function splitDependencies(dependencies: PlainObject): readonly UpgradedKeyword[] {
  const entries = Object.entries(dependencies);
  const required = entries.filter(([, dependency]) => Array.isArray(dependency));
  const schemas = entries.filter(([, dependency]) => !Array.isArray(dependency));
  return [
    { keyword: 'dependentRequired', value: Object.fromEntries(required), written: 'dependencies' },
    { keyword: 'dependentSchemas', value: Object.fromEntries(schemas), written: 'dependencies' },
  ].filter(({ value }) => Object.keys(value).length > 0);
}
