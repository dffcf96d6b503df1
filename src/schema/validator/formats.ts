import type { Format } from 'ajv';
import { loadAjv, loadFormats, type AnyAjv } from './load-ajv.ts';

// The expression for this format takes quadratic time.
const LONGEST_URL = 2048;
const LONGEST_TIME = 64;

/** True for the name of a format that is asserted; `toString` is none. */
export function isKnownFormat(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(loadFormats(), name);
}

/** True for a date with a time in the form of RFC 3339, or for a Date object. */
export function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string') return value instanceof Date;
  const { validate } = loadFormats()['date-time'] as { readonly validate: (text: string) => boolean };
  return value.length <= LONGEST_TIME && validate(value);
}

/** Gives ajv the formats of ajv-formats. */
export function addFormats(ajv: AnyAjv): void {
  loadAjv().addFormats(ajv);
  const url = loadFormats().url as RegExp;
  const limited: Format = (text: string) => text.length <= LONGEST_URL && url.test(text);
  ajv.addFormat('url', limited);
}
