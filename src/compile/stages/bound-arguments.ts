import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { REDACTED } from '../../errors/redact.ts';
import { sensitiveProperties } from '../../metadata/sensitive-fields.ts';
import { canonicalJson, compareText } from '../../shared/canonical-json.ts';
import { isClass } from '../../shared/class-type.ts';
import { isPlainObject } from '../../shared/json.ts';
import type { ResolvedInput } from '../../kernel/call/compiled-callable.ts';

/**
 * The validated arguments of a call as one text (RFC 8785): equal for equal arguments, in whatever order and form they
 * came, with or without their defaults. Nothing that a class hides or shows otherwise (`toJSON`) counts.
 */
export function canonicalArguments({ input }: Pick<ResolvedInput, 'input'>): string {
  return canonicalJson(plainForm(input, EXACT));
}

/** The same for people, as JSON: `[redacted]` stands in place of what is sensitive. */
export function shownArguments({ input, common }: ResolvedInput): unknown {
  const outer = new Set(common.flatMap((value) => [...sensitiveIn(value)]));
  const isHidden: IsHidden = (owner, name) =>
    sensitiveIn(owner).has(name) || (owner === input && outer.has(name));
  return plainForm(input, { isHidden, write: (text) => text }) ?? {};
}

function sensitiveIn(value: unknown): ReadonlySet<string | symbol> {
  const { constructor: type } = (Object.getPrototypeOf(value ?? {}) ?? {}) as { constructor?: unknown };
  return isClass(type) ? sensitiveProperties(type) : new Set();
}

/** SHA-256 of {@link canonicalArguments}. */
export function argumentsDigest(resolved: Pick<ResolvedInput, 'input'>): string {
  return createHash('sha256').update(canonicalArguments(resolved)).digest('base64url');
}

/** Whether a member of an object is not shown. */
type IsHidden = (owner: object, name: string) => boolean;

/** How values are written that JSON has as texts. */
interface Form {
  readonly isHidden: IsHidden;
  /** @param isOdd for what was not a text itself, such as a number without an end */
  readonly write: (text: string, isOdd: boolean) => string;
}

/** Another value is never equal to a text: a mark stands before it, and is doubled where a text begins with it. */
const MARK = '#';
const EXACT: Form = {
  isHidden: () => false,
  write: (text, isOdd) => (isOdd || text.startsWith(MARK) ? `${MARK}${text}` : text),
};

/** A value as JSON; undefined for what is left out. */
function plainForm(value: unknown, form: Form): unknown {
  switch (typeof value) {
    case 'bigint':
      return form.write(value.toString(), true);
    case 'number':
      return Number.isFinite(value) ? value : form.write(String(value), true);
    case 'string':
      return form.write(value, false);
    case 'function':
    case 'symbol':
    case 'undefined':
      return undefined;
    case 'object':
      return value === null ? null : objectForm(value, form);
    default:
      return value;
  }
}

function objectForm(value: object, form: Form): unknown {
  const formOf = (item: unknown): unknown => plainForm(item, form) ?? null;
  if (Array.isArray(value)) return value.map(formOf);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? form.write('Invalid Date', true) : value.toISOString();
  if (value instanceof Map) return mapForm(value, formOf);
  if (value instanceof Set) return [...value].map(formOf);
  if (ArrayBuffer.isView(value)) return bytesOf(value).toString('base64');
  const members = Object.entries(value);
  if (members.length === 0 && !isPlainObject(value)) return opaqueForm(value);
  return Object.fromEntries(
    members
      .map(
        ([name, member]) => [name, form.isHidden(value, name) ? REDACTED : plainForm(member, form)] as const,
      )
      .filter(([, member]) => member !== undefined),
  );
}

function mapForm(map: ReadonlyMap<unknown, unknown>, formOf: (item: unknown) => unknown): unknown {
  const entries = [...map].map(([key, item]) => [formOf(key), formOf(item)] as const);
  return entries
    .map((entry) => ({ entry, text: canonicalJson(entry[0]) }))
    .sort((left, right) => compareText(left.text, right.text))
    .map(({ entry }) => entry);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** An instance without own members, such as a URL: only its own words say what it is. */
function opaqueForm(value: object): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)();
  // oxlint-disable-next-line typescript/no-base-to-string -- an empty instance gives the name of its class
  return String(value) === '[object Object]' ? {} : String(value);
}

/** The methods that change a collection or a date, which freezing alone does not forbid. */
const MUTATORS: readonly (readonly [type: new () => object, names: readonly string[]])[] = [
  [Map, ['set', 'delete', 'clear']],
  [Set, ['add', 'delete', 'clear']],
  [Date, Object.getOwnPropertyNames(Date.prototype).filter((name) => name.startsWith('set'))],
];

/** Freezes validated arguments in place, the instances of classes among them included. */
export function freezeArguments(value: unknown): void {
  // Bytes cannot be frozen
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value))
    return;
  for (const [type, names] of MUTATORS) if (value instanceof type) forbid(value, names);
  Object.freeze(value);
  if (value instanceof Map) for (const entry of value) freezeArguments(entry);
  if (value instanceof Set) for (const item of value) freezeArguments(item);
  for (const member of Object.values(value) as unknown[]) freezeArguments(member);
}

/**
 * A frozen copy of validated arguments, for code that looks at them and must not change them. Instances keep their
 * classes; within them, one without members that can be listed, such as a URL, is the same object.
 */
export function frozenCopy(value: unknown, known = new Map<object, object>()): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = emptyCopy(value, known.size === 0);
  if (copy === undefined) return value;
  known.set(value, copy);
  fill(copy, value, (item) => frozenCopy(item, known));
  for (const [type, names] of MUTATORS) if (copy instanceof type) forbid(copy, names);
  return Object.freeze(copy);
}

function fill(copy: object, value: object, copyOf: (item: unknown) => unknown): void {
  if (copy instanceof Map)
    for (const [key, item] of value as Map<unknown, unknown>) copy.set(copyOf(key), copyOf(item));
  if (copy instanceof Set) for (const item of value as Set<unknown>) copy.add(copyOf(item));
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(copy, name, { value: copyOf(member), enumerable: true });
  }
}

/** Undefined for what cannot be copied. @param isInput the whole of them, which may have no members */
function emptyCopy(value: object, isInput: boolean): object | undefined {
  if (Array.isArray(value)) return [];
  if (value instanceof Date) return new Date(value);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  const prototype = Object.getPrototypeOf(value) as object | null;
  const isOpaque = Object.keys(value).length === 0 && !isInput && !isPlainObject(value);
  return isOpaque ? undefined : (Object.create(prototype) as object);
}

function forbid(value: object, names: readonly string[]): void {
  for (const name of names) Object.defineProperty(value, name, { value: refuse, enumerable: false });
}

function refuse(): never {
  throw new TypeError('The arguments of this call are frozen: a key or a consent is bound to them');
}
