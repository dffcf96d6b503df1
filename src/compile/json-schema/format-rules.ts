import type { Constraint } from '../../shape/shape.ts';
import type { JsonSchema } from '../../shared/json-schema.ts';
import { lossOf, type ConstraintRule, type ConstraintRules } from './constraint-rule.ts';

const format =
  (name: string): ConstraintRule =>
  () => ({ format: name });

const anyFormat =
  (...names: readonly string[]): ConstraintRule =>
  () => ({ anyOf: names.map((name) => ({ format: name })) });

/** Validators that a format of JSON Schema stands for (JSON Schema 2020-12, Validation, 7.3). */
export const formatRules: ConstraintRules = {
  isEmail: format('email'),
  isUrl: format('uri'),
  isFqdn: domain,
  isUuid: uuid,
  isIp: ip,
  isDateString: anyFormat('date', 'date-time'),
  isIso8601: anyFormat('date', 'date-time'),
  isRFC3339: format('date-time'),
  // No schema has bounds for dates; the type of the value says the format.
  minDate: (constraint) => lossOf(constraint),
  maxDate: (constraint) => lossOf(constraint),
};

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
