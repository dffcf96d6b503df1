import type { ValidationRecord } from './validation-metadata.ts';
import type { ValidatorRecord } from './validator-record.ts';

/** A rule in words, made of the validator's own message: `must be an IBAN`. */
export function constraintPhrase(
  record: ValidationRecord,
  validator: ValidatorRecord,
  isBuiltIn: boolean,
): string {
  const args = record.constraints ?? [];
  const own = message(() => validator.instance.defaultMessage?.(messageArguments(record)), args);
  if (isBuiltIn && own !== '') return own;
  const name = validator.name === '' ? 'a custom validator' : validator.name;
  const custom = message(() => textOf(record), args) || own;
  return custom === '' ? `is also checked by ${name}` : `is also checked by ${name}: ${custom}`;
}

function textOf(record: ValidationRecord): unknown {
  const { message: text } = record;
  return typeof text === 'function' ? (text as (args: object) => unknown)(messageArguments(record)) : text;
}

function messageArguments(record: ValidationRecord): object {
  const { target, propertyName: property, constraints = [] } = record;
  return { targetName: target.name, property, object: {}, value: undefined, constraints };
}

function message(read: () => unknown, args: readonly unknown[]): string {
  let text: unknown;
  try {
    text = read();
  } catch {
    // a message that needs a value says nothing about the rule
    return '';
  }
  if (typeof text !== 'string') return '';
  return text
    .replace(/each value in /g, '')
    .replace(/\$constraint(\d+)/g, (_, index: string) => quote(args[Number(index) - 1]))
    .replace(/\$property ?/g, '')
    .replace(/\$(value|target) ?/g, '')
    .trim();
}

function quote(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (value instanceof Date) return value.toISOString();
  return String(value);
}
