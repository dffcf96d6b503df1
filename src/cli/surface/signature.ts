import type { JsonSchema } from '../../shared/json-schema.ts';
import { isPlainObject } from '../../shared/json.ts';
import { dereference } from '../../schema/references.ts';

const DEEPEST = 2;
const MOST_VALUES = 6;

/** `title: string, priority?: integer`: what an input takes. */
export function parametersText(schema: JsonSchema, without: readonly string[] = []): string {
  return parameterList(schema, schema, 0, without);
}

function parameterList(
  schema: JsonSchema,
  root: JsonSchema,
  depth: number,
  without: readonly string[] = [],
): string {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !without.includes(name))
    .map(([name, property]) => {
      const isRequired = schema.required?.includes(name) ?? false;
      return `${name}${isRequired ? '' : '?'}: ${typeText(property, root, depth)}`;
    })
    .join(', ');
}

/** The type of a value, as TypeScript would write it; deep parts are shortened. */
function typeText(given: JsonSchema, root: JsonSchema, depth: number): string {
  const schema = dereference(root, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return valuesText(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    if (depth > DEEPEST) return '…';
    return [...new Set(branches.map((branch) => typeText(branch, root, depth + 1)))].join(' | ');
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'any';
  return types.map((type) => namedType(type, schema, root, depth)).join(' | ');
}

function namedType(type: string, schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (type === 'array') {
    const item = isPlainObject(schema.items) ? typeText(schema.items, root, depth + 1) : 'any';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  if (type !== 'object' || schema.properties === undefined) return type;
  return depth >= DEEPEST ? '{…}' : `{ ${parameterList(schema, root, depth + 1)} }`;
}

function valuesText(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  return [...shown, ...(values.length > MOST_VALUES ? ['…'] : [])].join(' | ');
}
