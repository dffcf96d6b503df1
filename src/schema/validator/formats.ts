import type { Ajv, Format } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** The class of either dialect. */
export type AnyAjv = Ajv | Ajv2020;

// The expression for this format takes time with the square of the length.
const LONGEST_URL = 2048;
const LONGEST_TIME = 64;

/** True for the name of a format that is asserted; `toString` is none. */
export function isKnownFormat(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(fullFormats, name);
}

/** A date with its time, as RFC 3339 writes it; or one that was made already. */
export function isDateTime(value: unknown): boolean {
  if (typeof value !== 'string') return value instanceof Date;
  const { validate } = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };
  return value.length <= LONGEST_TIME && validate(value);
}

/** Gives ajv the formats of ajv-formats. */
export function addFormats(ajv: AnyAjv): void {
  ajvFormats.default(ajv);
  const url = fullFormats.url as RegExp;
  const limited: Format = (text: string) => text.length <= LONGEST_URL && url.test(text);
  ajv.addFormat('url', limited);
}
