import type { Constraint } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { lossOf, type ConstraintRule, type ConstraintRules, type Loss } from './constraint-rule.ts';

// Flags that change nothing about one test of one value, or that `pattern` has anyway.
const HARMLESS_FLAGS = /^[gdu]*$/;

const fixed =
  (pattern: string): ConstraintRule =>
  () => ({ pattern });

/** Validators that a regular expression says; the expressions are those of validator.js, written without flags. */
export const patternRules: ConstraintRules = {
  matches,
  // validator.js refuses most texts for an empty seed
  contains: (constraint) =>
    constraint.args[0] === '' ? lossOf(constraint) : { pattern: escape(String(constraint.args[0])) },
  notContains: (constraint) => ({ not: { pattern: escape(String(constraint.args[0])) } }),
  isAlpha: (constraint) => inDefaultLocale(constraint, '^[a-zA-Z]+$'),
  isAlphanumeric: (constraint) => inDefaultLocale(constraint, '^[0-9a-zA-Z]+$'),
  isAscii: fixed('^[\\x00-\\x7F]+$'),
  isNumberString: numberString,
  isBooleanString: () => ({ enum: ['true', 'false', '1', '0'] }),
  isHexadecimal: fixed('^(0[xXhH])?[0-9a-fA-F]+$'),
  isHexColor: fixed('^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'),
  isMongoId: () => ({ pattern: '^(0[xXhH])?[0-9a-fA-F]+$', minLength: 24, maxLength: 24 }),
  isMilitaryTime: fixed('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
};

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
