import type { JsonSchema } from '../../shared/json-schema.ts';
import type { Constraint, ScalarType } from '../shape/shape.ts';
import { addKeywords, enumOf, typesOfValues } from './keywords.ts';

/** Adds the rules of the validators to a schema; rules that no keyword can express go to `losses`. */
export function addConstraints(
  schema: JsonSchema,
  constraints: readonly Constraint[],
  type: ScalarType,
  losses: string[],
): JsonSchema {
  let result = schema;
  for (const constraint of constraints) {
    if (!constraint.isBuiltIn || constraint.isConditional) continue;
    const rule = RULES[constraint.name];
    const answer = typeof rule === 'function' ? rule(constraint, type, schema) : rule;
    if (answer === undefined) losses.push(constraint.phrase);
    else if (isLoss(answer)) losses.push(answer.loss);
    else result = addKeywords(result, answer);
  }
  return result;
}

/** A rule that JSON Schema cannot express; the reason continues a sentence that begins with the field. */
interface Loss {
  readonly loss: string;
}

/**
 * What one validator adds to the schema of a value of the given type. Undefined is a loss, in the validator's own words.
 */
type ConstraintRule =
  | JsonSchema
  | ((constraint: Constraint, type: ScalarType, schema: JsonSchema) => JsonSchema | Loss | undefined);

/** For validators that the type of the value expresses completely. */
const NO_MORE: JsonSchema = {};

/** The keywords for the validators of class-validator by name (formats: JSON Schema 2020-12, Validation, 7.3). */
const RULES: Readonly<Record<string, ConstraintRule>> = {
  isString: NO_MORE,
  isBoolean: NO_MORE,
  isInt: NO_MORE,
  isArray: NO_MORE,
  isObject: NO_MORE,
  isDate: NO_MORE,
  isEnum: NO_MORE,
  minLength: ({ args }) => atLeast(args[0]),
  maxLength: ({ args }) => atMost(args[0]),
  isLength: ({ args }) => ({ ...atLeast(args[0]), ...atMost(args[1]) }),
  matches,
  // validator.js refuses most texts for an empty seed, and finds the half of a surrogate pair
  contains: ({ args }) =>
    args[0] === '' || HALF.test(String(args[0])) ? undefined : { pattern: escape(String(args[0])) },
  notContains: ({ args }) => ({ not: { pattern: escape(String(args[0])) } }),
  // The expressions are those of validator.js, written without flags
  isAlpha: (constraint) => inDefaultLocale(constraint, '^[a-zA-Z]+$'),
  isAlphanumeric: (constraint) => inDefaultLocale(constraint, '^[0-9a-zA-Z]+$'),
  isAscii: { pattern: '^[\\x00-\\x7F]+$' },
  isNumberString: numberString,
  isBooleanString: { enum: ['true', 'false', '1', '0'] },
  isHexadecimal: { pattern: '^(0[xXhH])?[0-9a-fA-F]+$' },
  isHexColor: { pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$' },
  isMongoId: { pattern: '^(0[xXhH])?[0-9a-fA-F]+$', minLength: 24, maxLength: 24 },
  isMilitaryTime: { pattern: '^([01]\\d|2[0-3]):?([0-5]\\d)$' },
  isEmail: { format: 'email' },
  isUrl: { format: 'uri' },
  isFqdn: domain,
  isUuid: uuid,
  isIp: ip,
  isDateString: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  isIso8601: { anyOf: [{ format: 'date' }, { format: 'date-time' }] },
  isRFC3339: { format: 'date-time' },
  isIn: ({ args }, type) => allowed(args[0], type),
  isNotIn: ({ args }) => refused(args[0]),
  equals: ({ args }, type) => (isScalar(args[0]) ? single(args[0], type) : undefined),
  notEquals: ({ args }) => refused([args[0]]),
  isEmpty: { enum: ['', null] },
  isNotEmpty: (_, type) => notEmpty(type),
  isDefined: (_, type) => (type === 'any' ? { not: { type: 'null' } } : {}),
  isInstance: (_, type) => (type === 'any' ? undefined : {}),
  isNumber: decimalPlaces,
  min: ({ args }) => (Number.isFinite(args[0]) ? { minimum: args[0] as number } : undefined),
  max: ({ args }) => (Number.isFinite(args[0]) ? { maximum: args[0] as number } : undefined),
  isPositive: { exclusiveMinimum: 0 },
  isNegative: { exclusiveMaximum: 0 },
  isDivisibleBy: multiple,
  isLatitude: { minimum: -90, maximum: 90 },
  isLongitude: { minimum: -180, maximum: 180 },
  arrayMinSize: ({ args }) => size('minItems', Math.ceil(Number(args[0]))),
  arrayMaxSize: ({ args }) => size('maxItems', Math.floor(Number(args[0]))),
  arrayNotEmpty: { minItems: 1 },
  arrayUnique: unique,
  arrayContains: ({ args }) => withAll(valuesOf(args[0])),
  arrayNotContains: ({ args }) => withNone(valuesOf(args[0])),
  isNotEmptyObject: notEmptyObject,
};

function isLoss(answer: JsonSchema | Loss): answer is Loss {
  return 'loss' in answer;
}

function allowed(values: unknown, type: ScalarType): JsonSchema {
  const scalars = valuesOf(values).filter(isScalar);
  return { ...(type === 'any' ? typesOfValues(scalars) : {}), ...enumOf([...new Set(scalars)]) };
}

function single(value: unknown, type: ScalarType): JsonSchema {
  return { ...(type === 'any' ? typesOfValues([value]) : {}), const: value };
}

function refused(values: unknown): JsonSchema {
  const scalars = valuesOf(values).filter(isScalar);
  return scalars.length === 0 ? {} : { not: { enum: [...new Set(scalars)] } };
}

function notEmpty(type: ScalarType): JsonSchema {
  if (type === 'string') return { minLength: 1 };
  return type === 'any' ? { not: { enum: ['', null] } } : {};
}

// Objects are compared by identity, so that no value from JSON is ever equal to one.
function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

// multipleOf: 0.01 would refuse 0.07, as binary fractions are no exact multiples
function decimalPlaces({ args }: Constraint): JsonSchema | Loss {
  const places = (args[0] as { readonly maxDecimalPlaces?: number } | undefined)?.maxDecimalPlaces;
  if (places === undefined || places === 0) return {};
  return { loss: `must have at most ${String(places)} decimal places` };
}

function multiple({ args }: Constraint): JsonSchema | undefined {
  const [divisor] = args;
  if (!Number.isInteger(divisor) || divisor === 0) return undefined;
  return { multipleOf: Math.abs(divisor as number) };
}

function size(keyword: 'minItems' | 'maxItems', count: number): JsonSchema {
  return Number.isFinite(count) && count >= 0 ? { [keyword]: count } : {};
}

function withAll(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? {} : { allOf: values.map((value) => ({ contains: { const: value } })) };
}

function withNone(all: readonly unknown[]): JsonSchema {
  const values = all.filter(isScalar);
  return values.length === 0 ? {} : { not: { contains: { enum: values } } };
}

function valuesOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? (values as readonly unknown[]) : [];
}

/**
 * With an identifier, items may be different and still count as equal. Without one, two objects are never the same, and
 * JSON Schema compares what is in them.
 */
function unique(constraint: Constraint, _type: ScalarType, { items }: JsonSchema): JsonSchema | Loss {
  if (!comparesWhole(constraint)) return { loss: 'must not have two items of the same identity' };
  if (typeof items !== 'object' || !holdsSingleValues(items)) {
    return { loss: 'must not have the same text, number or boolean twice' };
  }
  return { uniqueItems: true };
}

function holdsSingleValues({ type, anyOf = [], enum: values }: JsonSchema): boolean {
  if (type !== undefined) return [type].flat().every((one) => one !== 'object' && one !== 'array');
  if (values !== undefined) return values.every(isScalar);
  return anyOf.length > 0 && anyOf.every(holdsSingleValues);
}

// The identifier is hidden in the validator; two objects without any members give it away.
function comparesWhole(constraint: Constraint): boolean {
  try {
    return constraint.validate([{}, {}], {}) === true;
  } catch {
    return false;
  }
}

function notEmptyObject({ args }: Constraint): JsonSchema | Loss {
  const isNullable = (args[0] as { readonly nullable?: boolean } | undefined)?.nullable !== false;
  return isNullable ? { minProperties: 1 } : { loss: 'must have a member that is not null' };
}

function atLeast(length: unknown): JsonSchema {
  return typeof length === 'number' && length > 0 ? { minLength: Math.ceil(length) } : {};
}

function atMost(length: unknown): JsonSchema {
  return typeof length === 'number' && Number.isFinite(length)
    ? { maxLength: Math.max(0, Math.floor(length)) }
    : {};
}

// Flags that do not affect a single test of a value, or that `pattern` has anyway.
const HARMLESS_FLAGS = /^[gdu]*$/;
// Without the flag u these are letters, and the half of a surrogate pair is found in it
const MEANS_ANOTHER = /\\u\{|\\[pPk]|[\uD800-\uDFFF]|\\u[dD][89a-fA-F]/;

function matches({ args }: Constraint): JsonSchema | Loss {
  const [expression, modifiers] = args;
  const { source, flags } = toRegExp(expression, modifiers);
  const isPlain = HARMLESS_FLAGS.test(flags) && (flags.includes('u') || !MEANS_ANOTHER.test(source));
  return isPlain && isUnicodePattern(source)
    ? { pattern: source }
    : { loss: `must match /${source}/${flags}` };
}

function toRegExp(
  expression: unknown,
  modifiers: unknown,
): { readonly source: string; readonly flags: string } {
  if (expression instanceof RegExp) return expression;
  return { source: String(expression), flags: typeof modifiers === 'string' ? modifiers : '' };
}

// JSON Schema reads patterns with the flag u, which refuses `\-` and a lone `{`.
function isUnicodePattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const HALF = /\p{Surrogate}/u;

function inDefaultLocale({ args }: Constraint, pattern: string): JsonSchema | undefined {
  const [locale] = args;
  return locale === undefined || locale === 'en-US' ? { pattern } : undefined;
}

function numberString({ args }: Constraint): JsonSchema | undefined {
  const options = args[0] as { readonly no_symbols?: boolean; readonly locale?: string } | undefined;
  if (options?.no_symbols === true) return { pattern: '^[0-9]+$' };
  return options?.locale === undefined ? { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } : undefined;
}

/** A host name need not have a top-level domain; a domain has one, unless the options say otherwise. */
function domain({ args }: Constraint): JsonSchema {
  const topLevel = '\\.([a-zA-Z]{2,}|[xX][nN][a-zA-Z0-9-]{2,})$';
  return args[0] === undefined ? { format: 'hostname', pattern: topLevel } : { format: 'hostname' };
}

function ip({ args }: Constraint): JsonSchema {
  const [version] = args;
  if (version === '4' || version === 4) return { format: 'ipv4' };
  if (version === '6' || version === 6) return { format: 'ipv6' };
  return { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
}

function uuid({ args }: Constraint): JsonSchema {
  const versions = (Array.isArray(args[0]) ? args[0] : [args[0]]) as readonly unknown[];
  const digits = versions.filter((version) => /^[1-8]$/.test(String(version)));
  if (digits.length === 0 || digits.length < versions.length) return { format: 'uuid' };
  const version = digits.length === 1 ? String(digits[0]) : `[${digits.join('')}]`;
  const hex = (length: number): string => `[0-9a-fA-F]{${String(length)}}`;
  const pattern = `^${hex(8)}-${hex(4)}-${version}${hex(3)}-[89abAB]${hex(3)}-${hex(12)}$`;
  return { format: 'uuid', pattern };
}
