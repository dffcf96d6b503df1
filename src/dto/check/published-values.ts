import { boundPattern } from '../../schema/patterns/linear-pattern.ts';
import { loadFormats } from '../../schema/validator/load-ajv.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { isObject } from '../../shared/json.ts';

/** Whether a value, as it came, is one that the published schema of its field accepts. */
export type Fits = (value: unknown) => boolean;

type Rule = (argument: unknown, schema: JsonSchema) => Fits | undefined;

/**
 * The check of the keywords that are published for one field. The validators see a value after its conversion, and some
 * accept more than JSON Schema can say: only both together refuse what the schema refuses. Members of nested classes
 * are checked with their class.
 */
export function createFits(schema: JsonSchema): Fits {
  const tests = Object.entries(schema).flatMap(([keyword, argument]) => {
    const test = Object.hasOwn(RULES, keyword) ? RULES[keyword]?.(argument, schema) : undefined;
    return test === undefined ? [] : [test];
  });
  const [only] = tests;
  if (only === undefined) return () => true;
  return tests.length === 1 ? only : (value) => tests.every((test) => test(value));
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Dates of callers inside of the process stand for their text. */
const TYPES: Readonly<Record<string, Fits>> = {
  string: (value) => typeof value === 'string' || value instanceof Date,
  number: isNumber,
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  // callers inside of the process may hand in a function, as @IsObject allows
  object: (value) => isObject(value) || typeof value === 'function',
};

const ofTexts =
  (test: (text: string, limit: number) => boolean): Rule =>
  (limit) =>
  (value) =>
    typeof value !== 'string' || test(value, limit as number);

const ofNumbers =
  (test: (value: number, limit: number) => boolean): Rule =>
  (limit) =>
  (value) =>
    typeof value !== 'number' || test(value, limit as number);

const ofLists =
  (test: (items: readonly unknown[], limit: number) => boolean): Rule =>
  (limit) =>
  (value) =>
    !Array.isArray(value) || test(value, limit as number);

const allOf = (schemas: unknown): readonly Fits[] => (schemas as readonly JsonSchema[]).map(createFits);

/** The keywords that fields of classes are published with. */
const RULES: Readonly<Record<string, Rule>> = {
  type: (types) => {
    const tests = [types].flat().flatMap((type) => TYPES[String(type)] ?? []);
    const [only] = tests;
    return tests.length === 1 ? only : (value) => tests.some((test) => test(value));
  },
  enum: (values) => isAmong(values as readonly unknown[]),
  const: (value) => isAmong([value]),
  not: (schema) => {
    const test = createFits(schema as JsonSchema);
    return (value) => !test(value);
  },
  allOf: (schemas) => {
    const tests = allOf(schemas);
    return (value) => tests.every((test) => test(value));
  },
  anyOf: (schemas) => {
    const tests = allOf(schemas);
    return (value) => tests.some((test) => test(value));
  },
  minLength: ofTexts((text, least) => countCharacters(text) >= least),
  maxLength: ofTexts((text, most) => countCharacters(text) <= most),
  pattern: (source, { maxLength }) => {
    const longest = typeof maxLength === 'number' ? 2 * maxLength : undefined;
    const { test } = boundPattern(new RegExp(String(source), 'u'), longest);
    return (value) => typeof value !== 'string' || (value.length <= (longest ?? Infinity) && test(value));
  },
  format: formatTest,
  minimum: ofNumbers((value, least) => value >= least),
  maximum: ofNumbers((value, most) => value <= most),
  exclusiveMinimum: ofNumbers((value, bound) => value > bound),
  exclusiveMaximum: ofNumbers((value, bound) => value < bound),
  multipleOf: ofNumbers((value, divisor) => value % divisor === 0),
  items: (schema) => {
    const test = createFits(schema as JsonSchema);
    return (value) => !Array.isArray(value) || value.every(test);
  },
  contains: (schema) => {
    const test = createFits(schema as JsonSchema);
    return (value) => !Array.isArray(value) || value.some(test);
  },
  minItems: ofLists((items, least) => items.length >= least),
  maxItems: ofLists((items, most) => items.length <= most),
  // published for items of single values only
  uniqueItems: ofLists((items) => new Set(items).size === items.length),
  minProperties: (least) => (value) => !isObject(value) || Object.keys(value).length >= (least as number),
  additionalProperties: (schema) => {
    if (typeof schema === 'boolean') return undefined;
    const test = createFits(schema as JsonSchema);
    return (value) => !isObject(value) || Object.values(value).every(test);
  },
};

function isAmong(values: readonly unknown[]): Fits {
  const known = new Set(values);
  return (value) => known.has(value);
}

/** As JSON Schema counts: a surrogate pair is one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (text.codePointAt(index) !== text.charCodeAt(index)) count -= 1;
  }
  return count;
}

/** A format that nobody knows is an annotation. */
function formatTest(name: unknown): Fits | undefined {
  const formats = loadFormats() as Readonly<Record<string, unknown>>;
  const format = typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined;
  const test = testOf(format);
  return test && ((value) => typeof value !== 'string' || (value.length <= LONGEST_FORMAT && test(value)));
}

/** Some expressions of formats take quadratic time. */
const LONGEST_FORMAT = 2048;

function testOf(format: unknown): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => Boolean((format as (text: string) => unknown)(text));
  const { validate, type } = (typeof format === 'object' && format !== null ? format : {}) as {
    readonly validate?: unknown;
    readonly type?: unknown;
  };
  return type === 'number' ? undefined : testOf(validate);
}
