import type { JsonSchema } from '../shared/json-schema.ts';
import { listValues, MAX_LISTED, sayFurther } from '../shared/listing.ts';

type Part = (schema: JsonSchema) => string | undefined;

const count =
  (keyword: string, text: (value: number) => string): Part =>
  (schema) => {
    const value = schema[keyword];
    return typeof value === 'number' ? text(value) : undefined;
  };

const parts: readonly Part[] = [
  count('minimum', (value) => `at least ${String(value)}`),
  count('exclusiveMinimum', (value) => `greater than ${String(value)}`),
  count('maximum', (value) => `at most ${String(value)}`),
  count('exclusiveMaximum', (value) => `less than ${String(value)}`),
  count('multipleOf', (value) => `a multiple of ${String(value)}`),
  count('minLength', (value) => `at least ${String(value)} characters`),
  count('maxLength', (value) => `at most ${String(value)} characters`),
  count('minItems', (value) => `at least ${String(value)} items`),
  count('maxItems', (value) => `at most ${String(value)} items`),
  (schema) => (schema['uniqueItems'] === true ? 'without duplicates' : undefined),
  (schema) => (isTelling(schema) ? `matching ${String(schema['pattern'])}` : undefined),
];

const LONGEST_BESIDE_FORMAT = 40;

/** zod writes the pattern of a format beside its name; 90 characters of it do not help to fix an e-mail address. */
function isTelling({ pattern, format }: JsonSchema): boolean {
  if (typeof pattern !== 'string') return false;
  return typeof format !== 'string' || pattern.length <= LONGEST_BESIDE_FORMAT;
}

/** The expectation of a schema, in words for a caller: the type, the allowed values, the bounds, the format. */
export function describeExpected(schema: JsonSchema | undefined): string | undefined {
  if (schema === undefined) return undefined;
  if (schema.const !== undefined) return quote(schema.const);
  if (schema.enum !== undefined) return `one of: ${listValues(schema.enum, quote)}`;
  const branches = schema.anyOf ?? schema.oneOf;
  const format = schema['format'] ?? formatsOf(branches);
  const type = typeText(schema) ?? (format === undefined ? describeBranches(branches) : undefined);
  const head = typeof format === 'string' ? `${type ?? 'string'} (${format})` : type;
  const details = parts.map((part) => part(schema)).filter((text) => text !== undefined);
  const all = [head, ...details].filter((text) => text !== undefined);
  return all.length === 0 ? undefined : all.join(', ');
}

function typeText(schema: JsonSchema): string | undefined {
  if (schema.type === undefined) return undefined;
  const types = [schema.type].flat().map((type) => (type === 'array' ? arrayText(schema) : type));
  return types.join(' or ');
}

function arrayText({ items }: JsonSchema): string {
  const item = typeof items === 'object' ? describeExpected(items) : undefined;
  return item === undefined ? 'array' : `array of ${item.includes(',') ? `(${item})` : item}`;
}

function describeBranches(branches: readonly JsonSchema[] | undefined): string | undefined {
  const texts = (branches ?? []).map((branch) => describeExpected(branch) ?? '');
  if (texts.length === 0 || texts.includes('')) return undefined;
  return listValues([...new Set(texts)], String, ' or ');
}

/** The formats of strings that differ only in `format`: a date or a date-time. */
function formatsOf(branches: readonly JsonSchema[] | undefined): string | undefined {
  const formats = (branches ?? []).map(({ type = 'string', format, ...rest }) =>
    type === 'string' && Object.keys(rest).length === 0 ? format : undefined,
  );
  const isPure = formats.length > 0 && formats.every((format) => typeof format === 'string');
  return isPure ? formats.join(' or ') : undefined;
}

function quote(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const MOST_FORMS = 6;

/** The branches of a union of objects by what each of them requires: `{ a: string } or { a: number, b: string }`. */
export function describeForms(branches: readonly JsonSchema[]): string | undefined {
  const forms = branches.map(describeForm);
  if (forms.some((form) => form === undefined)) return undefined;
  const texts = [...new Set(forms)];
  const shown = texts.slice(0, MOST_FORMS).join(' or ');
  return texts.length > MOST_FORMS ? `${shown} or …` : shown;
}

function describeForm({ properties = {}, required = [] }: JsonSchema): string | undefined {
  const fields = required.slice(0, MAX_LISTED).map((name) => {
    const expected = describeExpected(properties[name]);
    return expected === undefined ? name : `${name}: ${expected}`;
  });
  if (required.length > MAX_LISTED) fields.push(sayFurther(required.length - MAX_LISTED));
  return fields.length === 0 ? undefined : `{ ${fields.join(', ')} }`;
}
