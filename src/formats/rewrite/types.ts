import { isAnnotation as isAnyAnnotation, subjectOf } from '../../schema/keywords.ts';
import type { RawSchema } from '../../schema/subschemas.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';

/** The types that a node declares; empty when it declares none. */
export function typesOf({ type }: PlainObject): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === 'string') : [];
}

/** The type that a keyword is about; undefined for one that is about any. */
export function typeOfKeyword(keyword: string, value: unknown): string | undefined {
  if (keyword === 'format') return NUMBER_FORMATS.has(String(value)) ? 'number' : 'string';
  return subjectOf(keyword);
}

/** True for a keyword that no value can break. What begins with `$` has rules of its own. */
export function isAnnotation(keyword: string): boolean {
  return isAnyAnnotation(keyword) && !keyword.startsWith('$');
}

/** The formats of OpenAPI for numbers; those of JSON Schema are about text. */
export const NUMBER_FORMATS: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** The types of JSON that a list of values has. */
export function typesOfValues(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map(typeOfValue))];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isPlainObject(value) ? 'object' : typeof value;
}

/** The properties that a node declares. */
export function propertiesOf({ properties }: PlainObject): Readonly<Record<string, RawSchema>> {
  return isPlainObject(properties) ? (properties as Readonly<Record<string, RawSchema>>) : {};
}

/** True for a value of the type, where an integer is a number as well. */
export function hasType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOfValue(value) === type;
}

/** True for a node that lists objects or arrays. */
export function listsStructures(node: PlainObject): boolean {
  return listedValues(node)?.some((value) => typeof value === 'object' && value !== null) === true;
}

/** The values that a node lists with `enum` or `const`. */
export function listedValues(node: PlainObject): readonly unknown[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node.const];
  return Array.isArray(node.enum) ? node.enum : undefined;
}
