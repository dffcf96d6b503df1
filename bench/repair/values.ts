import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from './json-path.ts';
import { fits, literalBeginning } from './tool-schema.ts';

/** The same value as another type; undefined where there is no way. */
export function convertValue(value: Json, schema: JsonObject, type: string | undefined): Json | undefined {
  const once = listConversions(value);
  const all = [...once, ...once.flatMap(listConversions)].filter((each) => !isDeepStrictEqual(each, value));
  return all.find((each) => fits(schema, each)) ?? all.find((each) => isOfType(each, type));
}

/** Everything that a value may stand for: what a list, an object or a text has in it, or a list with it. */
function listConversions(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.length === 1 ? [value[0] as Json] : [];
  if (isObject(value)) {
    const members = Object.values(value);
    const isNumbered = Object.keys(value).every((name, index) => name === String(index));
    return isNumbered ? [members] : [...(members.length === 1 ? members : []), [value]];
  }
  if (typeof value === 'string') return [...readText(value), [value]];
  const isBit = value === 0 || value === 1;
  return [...(isBit ? [value === 1] : []), JSON.stringify(value), [value]];
}

function readText(text: string): readonly Json[] {
  const trimmed = text.trim();
  const answers: Readonly<Record<string, boolean>> = { yes: true, no: false };
  const answer = answers[trimmed.toLowerCase()];
  if (answer !== undefined) return [answer];
  try {
    return [JSON.parse(trimmed) as Json];
  } catch {
    return [];
  }
}

function isOfType(value: Json, type: string | undefined): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof value === (type === 'integer' || type === 'int' ? 'number' : type);
}

/** The same text in the form that a schema wants; undefined where it is not clear how. */
export function formatText(text: string, schema: JsonObject): string | undefined {
  const beginning = literalBeginning(schema);
  const [address] = /[\w.+-]+@[\w.-]+/.exec(text) ?? [];
  const hexadecimal = text.replaceAll(/[^0-9a-f]/gi, '');
  const forms = [
    ...[text.trim(), text.toUpperCase(), text.toLowerCase(), address],
    text.replace(/:\d\d$/, ''),
    readTime(text),
    readDate(text),
    hexadecimal.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    text.replaceAll(/[\s().-]/g, ''),
    beginning + text.replaceAll(/\D/g, ''),
  ];
  return forms.find((form) => fits(schema, form));
}

function readTime(text: string): string | undefined {
  const [, hour, minute, half] = /^(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap]m)?$/i.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const isAfternoon = half?.toLowerCase() === 'pm';
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0);
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

function readDate(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (year !== undefined) return `${year}-${month?.padStart(2, '0') ?? ''}-${day?.padStart(2, '0') ?? ''}`;
  const time = Date.parse(`${text} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}
