import { isPlainObject, type PlainObject } from '../shared/json.ts';
import { inspect } from '../shared/platform.ts';

/** What is shown in place of a value that must not be shown. */
export const REDACTED = '[redacted]';

/**
 * The method of an object that gives it as it may be shown: without the values of its @Sensitive() fields. The key is
 * shared, because a second installed copy of the package may have made the class.
 */
export const SHOWN_FORM = Symbol.for('toolwright:shown-form');

/** Shorter values occur in any text by chance. */
export const SHORTEST_SECRET = 4;
/** Texts may have been cut, so the beginning of a value counts as the value. */
export const LONGEST_BEGINNING = 16;

/** The values that must not be shown; undefined where there are too many to look for. */
export type SensitiveValues = readonly string[] | undefined;

/** True if a text has one of the values in it, also cut or in quotes. */
export function mentions(text: string, values: SensitiveValues, shortest = SHORTEST_SECRET): boolean {
  if (values === undefined) return true;
  const forms = formsOf(values);
  const { short } = forms;
  if (shortest < SHORTEST_SECRET && short.some((form) => text.includes(beginningOf(form)))) return true;
  const found = placesIn(text, forms);
  return found === undefined || found.length > 0;
}

/** A text without the values, and without what is left of one that was cut. */
export function redactText(text: string, values: SensitiveValues): string {
  if (values === undefined) return REDACTED;
  const found = placesIn(text, formsOf(values));
  if (found === undefined) return REDACTED;
  let shown = '';
  let from = 0;
  for (const { start, end } of found) {
    shown += text.slice(from, start) + REDACTED;
    from = end;
  }
  return shown + text.slice(from);
}

/**
 * A value without the texts, and without what its DTOs keep secret, also in errors and their causes, lists and plain
 * objects; the same value where it has none. Anything else that shows one of them when it is printed is left out.
 */
export function redactValue(value: unknown, values: SensitiveValues): unknown {
  return redacted(value, values, new Map());
}

/** @param known what came of the objects so far, because they may refer to each other */
function redacted(value: unknown, values: SensitiveValues, known: Map<unknown, unknown>): unknown {
  if (typeof value === 'string') return redactText(value, values);
  if (known.has(value)) return known.get(value);
  known.set(value, REDACTED);
  const result = readable(value, values, (inner) => redacted(inner, values, known));
  known.set(value, result);
  return result;
}

/** Getters may throw, and proxies be revoked: of such a value nobody knows what is in it. */
function readable(value: unknown, values: SensitiveValues, part: (inner: unknown) => unknown): unknown {
  try {
    return redactedObject(value, values, part);
  } catch {
    return values?.length === 0 ? value : REDACTED;
  }
}

function redactedObject(value: unknown, values: SensitiveValues, part: (inner: unknown) => unknown): unknown {
  if (value instanceof Error) return redactedError(value, values, part);
  if (Array.isArray(value)) {
    const items = value.map(part);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (hasShownForm(value)) return part(value[SHOWN_FORM]());
  if (!isPlainObject(value)) return holds(value, values) ? REDACTED : value;
  const given = value as Readonly<Record<PropertyKey, unknown>>;
  const keys = Reflect.ownKeys(value).filter((key) => isListed(value, key));
  const members = keys.map((key) => [shownKey(key, values), part(given[key])] as const);
  const isSame = members.every(([key, inner], index) => key === keys[index] && given[key] === inner);
  return isSame ? value : Object.fromEntries(members);
}

/** Where there are too many values to look for, no name would be left. */
function shownKey(key: string | symbol, values: SensitiveValues): string | symbol {
  return typeof key === 'symbol' || values === undefined ? key : redactText(key, values);
}

function isListed(value: object, key: PropertyKey): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

function hasShownForm(value: unknown): value is { [SHOWN_FORM](): PlainObject } {
  return typeof value === 'object' && value !== null && SHOWN_FORM in value;
}

/** What has more parts is too large to be looked through. */
const MOST_PARTS = 10_000;

/** Whether code that prints a value, or writes it as JSON, can see one of the values in it, or a DTO that keeps some. */
function holds(value: unknown, values: SensitiveValues): boolean {
  const hasNone = values?.length === 0;
  const parts = new Set([value]);
  // Also what is added on the way is looked at
  for (const part of parts) {
    if (parts.size > MOST_PARTS) return !hasNone;
    if (hasShownForm(part)) return true;
    if (typeof part === 'object' && part !== null) for (const inner of partsOf(part)) parts.add(inner);
    else if (typeof part !== 'function' && mentions(String(part), values)) return true;
  }
  return !hasNone && mentions(inspect(value), values);
}

function partsOf(value: object): readonly unknown[] {
  if (ArrayBuffer.isView(value)) return [];
  const isCollection = value instanceof Map || value instanceof Set;
  const items: readonly unknown[] = isCollection ? Array.from(value as Iterable<unknown>) : [];
  const shown = value instanceof Error ? SHOWN.map((key) => value[key]) : [];
  const json = hasJson(value) ? [value.toJSON()] : [];
  const symbols = Object.getOwnPropertySymbols(value).map((key) => (value as Record<symbol, unknown>)[key]);
  return [
    ...Object.keys(value),
    ...(Object.values(value) as unknown[]),
    ...symbols,
    ...items,
    ...shown,
    ...json,
  ];
}

function hasJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** A class of its own is lost, because it may keep more than can be seen; the name says which one it was. */
function redactedError(error: Error, values: SensitiveValues, part: (inner: unknown) => unknown): Error {
  const own = Reflect.ownKeys(error).filter((key) => !SHOWN.includes(key as keyof Error));
  const keys = [...SHOWN, ...(own as (keyof Error)[])];
  const members = keys.map((key) => ({ key, shown: shownKey(key, values), value: part(error[key]) }));
  if (members.every(({ key, shown, value }) => shown === key && error[key] === value)) return error;
  const copy = new Error();
  for (const { key, shown, value } of members) {
    const enumerable = isListed(error, key);
    Object.defineProperty(copy, shown, { value, enumerable, configurable: true, writable: true });
  }
  return copy;
}

/** What errors have that need not be members of their own. */
const SHOWN: readonly (keyof Error)[] = ['name', 'message', 'stack'];

function beginningOf(form: string): string {
  return form.slice(0, LONGEST_BEGINNING);
}

/** The forms that values may have in a text: those by which they are found, and those of very short values. */
interface Forms {
  readonly long: readonly string[];
  readonly short: readonly string[];
  /** The long ones by their first characters; undefined where they are few. */
  readonly byStart: ReadonlyMap<string, readonly string[]> | undefined;
}

/** One list of values is looked for in many texts. */
const knownForms = new WeakMap<readonly string[], Forms>();

function formsOf(values: readonly string[]): Forms {
  const known = knownForms.get(values);
  if (known !== undefined) return known;
  const isLong = ({ length }: string): boolean => length >= SHORTEST_SECRET;
  const long = [...new Set(values.filter(isLong).flatMap(writtenForms))];
  const forms = {
    long,
    byStart: long.length <= FEW_FORMS ? undefined : groupByStart(long),
    short: values.filter((value) => !isLong(value)).flatMap(writtenForms),
  };
  knownForms.set(values, forms);
  return forms;
}

/** A part of a text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** So few forms are faster looked for one after the other. */
const FEW_FORMS = 16;
/** The characters that are compared. A client chooses its values and, in part, the text: both may be alike throughout. */
const MAX_WORK = 2_000_000;

/** Where one of the forms is in a text, from left to right; undefined where that would take too long. */
function placesIn(text: string, { long, byStart }: Forms): readonly Place[] | undefined {
  const found: Place[] = [];
  let work = 0;
  const candidates = byStart === undefined ? eachPlace(text, long) : eachStart(text, byStart);
  for (const [start, form] of candidates) {
    const beginning = beginningOf(form);
    work += beginning.length;
    if (work > MAX_WORK) return undefined;
    if (!text.startsWith(beginning, start)) continue;
    let end = start + beginning.length;
    while (end < text.length && text[end] === form[end - start]) end += 1;
    work += end - start;
    found.push({ start, end });
  }
  return joined(found);
}

function* eachPlace(text: string, forms: readonly string[]): Generator<readonly [number, string]> {
  for (const form of forms) {
    const beginning = beginningOf(form);
    for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1)) yield [at, form];
  }
}

function groupByStart(forms: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byStart = new Map<string, string[]>();
  for (const form of forms) {
    const start = form.slice(0, SHORTEST_SECRET);
    const alike = byStart.get(start);
    if (alike === undefined) byStart.set(start, [form]);
    else alike.push(form);
  }
  return byStart;
}

function* eachStart(
  text: string,
  byStart: ReadonlyMap<string, readonly string[]>,
): Generator<readonly [number, string]> {
  for (let at = 0; at + SHORTEST_SECRET <= text.length; at += 1) {
    for (const form of byStart.get(text.slice(at, at + SHORTEST_SECRET)) ?? []) yield [at, form];
  }
}

/** Places that overlap are one. */
function joined(places: Place[]): readonly Place[] {
  const whole: Place[] = [];
  for (const place of places.sort((one, other) => one.start - other.start)) {
    const last = whole.at(-1);
    if (last === undefined || place.start >= last.end) whole.push(place);
    else if (place.end > last.end) whole[whole.length - 1] = { start: last.start, end: place.end };
  }
  return whole;
}

/** As it is, as JSON and URLs write it, and without the spaces around it. */
function writtenForms(value: string): readonly string[] {
  const trimmed = value.trim();
  if (trimmed === '') return [];
  const plain = trimmed.length >= SHORTEST_SECRET ? trimmed : value;
  return [...new Set([plain, JSON.stringify(plain).slice(1, -1), encodeURIComponent(wellFormed(plain))])];
}

function wellFormed(value: string): string {
  return value.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
}
