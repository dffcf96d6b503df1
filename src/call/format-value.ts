import { encodeToon } from '../shared/toon.ts';
import { plainData } from './plain-data.ts';
import type { ResultFormat } from './result-format.ts';

/** The text of a value that says nothing. */
export const NOTHING_TO_SAY = 'OK';

/**
 * Turns a handler's value into the text of its result.
 * @throws ToolwrightError TW_RESULT_NOT_DATA for a value that JSON cannot carry (a cycle, a promise, a function).
 */
export function formatValue(value: unknown, format: ResultFormat = 'json'): string {
  if (value === undefined || value === null || value === '') return NOTHING_TO_SAY;
  if (typeof value === 'string') return value;
  // Here alone these say what they are
  if (format === 'text' && (typeof value === 'number' || typeof value === 'bigint')) return String(value);
  return formatData(plainData(value), format);
}

/** As {@link formatValue}, for what {@link jsonView} gave: nobody has to look at it once more. */
export function formatData(data: unknown, format: ResultFormat = 'json'): string {
  if (data === undefined || data === null || data === '') return NOTHING_TO_SAY;
  if (typeof data === 'string') return data;
  if (format === 'json') return JSON.stringify(data, undefined, 2);
  const json = JSON.stringify(data);
  // TOON is encoded from the JSON view, so that toJSON() counts in every format alike
  return format === 'toon' ? encodeToon(JSON.parse(json)) : json;
}

/** The value as JSON would carry it: what a client receives, and what an output is checked as. */
export function jsonView(value: unknown): unknown {
  const data = plainData(value);
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data));
}
