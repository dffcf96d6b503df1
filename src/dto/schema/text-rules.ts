import type { JsonSchema } from '../../shared/json-schema.ts';
import type { Constraint } from '../shape/shape.ts';
import { lossOf, type ConstraintRule, type ConstraintRules, type Loss } from './keywords.ts';

const fixed =
  (pattern: string): ConstraintRule =>
  () => ({ pattern });

const format =
  (name: string): ConstraintRule =>
  () => ({ format: name });

const anyFormat =
  (...names: readonly string[]): ConstraintRule =>
  () => ({ anyOf: names.map((name) => ({ format: name })) });

/** What the validators of texts say: lengths, regular expressions, formats (JSON Schema 2020-12, Validation, 7.3). */
export const TEXT_RULES: ConstraintRules = {
  minLength: ({ args }) => atLeast(args[0]),
  maxLength: ({ args }) => atMost(args[0]),
  isLength: ({ args }) => ({ ...atLeast(args[0]), ...atMost(args[1]) }),
  matches,
  // validator.js refuses most texts for an empty seed
  contains: (constraint) =>
    constraint.args[0] === '' ? lossOf(constraint) : { pattern: escape(String(constraint.args[0])) },
  notContains: (constraint) => ({ not: { pattern: escape(String(constraint.args[0])) } }),
  // The expressions are those of validator.js, written without flags
  isAlpha: (constraint) => inDefaultLocale(constraint, '^[a-zA-Z]+$'),
  isAlphanumeric: (constraint) => inDefaultLocale(constraint, '^[0-9a-zA-Z]+$'),
  isAscii: fixed('^[\\x00-\\x7F]+$'),
  isNumberString: numberString,
  isBooleanString: () => ({ enum: ['true', 'false', '1', '0'] }),
  isHexadecimal: fixed('^(0[xXhH])?[0-9a-fA-F]+$'),
  isHexColor: fixed('^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'),
  isMongoId: () => ({ pattern: '^(0[xXhH])?[0-9a-fA-F]+$', minLength: 24, maxLength: 24 }),
  isMilitaryTime: fixed('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  isEmail: format('email'),
  isUrl: format('uri'),
  isFqdn: domain,
  isUuid: uuid,
  isIp: ip,
  isDateString: anyFormat('date', 'date-time'),
  isIso8601: anyFormat('date', 'date-time'),
  isRFC3339: format('date-time'),
  // No schema has bounds for dates; the type of the value says the format.
  minDate: lossOf,
  maxDate: lossOf,
};

function atLeast(length: unknown): JsonSchema {
  return typeof length === 'number' && length > 0 ? { minLength: Math.ceil(length) } : {};
}

function atMost(length: unknown): JsonSchema {
  return typeof length === 'number' && Number.isFinite(length)
    ? { maxLength: Math.max(0, Math.floor(length)) }
    : {};
}

// Flags that change nothing about one test of one value, or that `pattern` has anyway.
const HARMLESS_FLAGS = /^[gdu]*$/;

function matches({ args }: Constraint): JsonSchema | Loss {
  const [expression, modifiers] = args;
  const { source, flags } = toRegExp(expression, modifiers);
  const isPlain = HARMLESS_FLAGS.test(flags);
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

function inDefaultLocale(constraint: Constraint, pattern: string): JsonSchema | Loss {
  const [locale] = constraint.args;
  return locale === undefined || locale === 'en-US' ? { pattern } : lossOf(constraint);
}

function numberString(constraint: Constraint): JsonSchema | Loss {
  const options = constraint.args[0] as
    { readonly no_symbols?: boolean; readonly locale?: string } | undefined;
  if (options?.no_symbols === true) return { pattern: '^[0-9]+$' };
  return options?.locale === undefined ? { pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } : lossOf(constraint);
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
