import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isInjected } from '../shared/injected.ts';
import { isThenable } from '../shared/is-thenable.ts';
import { isPlainObject } from '../shared/json.ts';

/** The names and indices that lead to a part of a value. */
export type Way = readonly (string | number)[];

/** Why a part of a value cannot be sent, and what to write instead. */
export interface Fault {
  /** What it is, as the rest of a sentence that begins with "is". */
  readonly found: string;
  readonly fix: string;
}

/** The error of a value that cannot be sent; it names the part, as code would: `rows[2].owner`. */
export function notData(way: Way, { found, fix }: Fault): ToolwrightError {
  return new ToolwrightError('TW_RESULT_NOT_DATA', {
    where: way.length === 0 ? 'The value' : pathText(way),
    what: `is ${found}, which JSON does not carry.`,
    fix,
  });
}

/** What is wrong with a value that is no object. */
export function scalarFault(value: unknown): Fault | undefined {
  switch (typeof value) {
    case 'number':
      if (Number.isFinite(value)) return undefined;
      return { found: String(value), fix: 'give null where there is no number' };
    case 'bigint':
      return { found: 'a BigInt', fix: 'String(value), or Number(value) where it is small enough' };
    case 'function':
      return { found: 'a function', fix: 'call it and give what it returns, or leave it out' };
    case 'symbol':
      return { found: 'a symbol', fix: 'give its description, or leave it out' };
    default:
      return undefined;
  }
}

/** What is wrong with an object that stands for data, but is none, whatever its `toJSON` says. */
export function foreignFault(value: object): Fault | undefined {
  if (isThenable(value)) {
    return { found: 'a Promise', fix: 'await it, and a list of them with await Promise.all(list)' };
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return {
      found: `bytes (${nameOf(value)})`,
      fix:
        'image(bytes, mimeType), audio(bytes, mimeType) or embeddedResource({ uri, blob: bytes }) as a result; ' +
        "as text Buffer.from(bytes).toString('base64'); as numbers [...bytes]",
    };
  }
  return undefined;
}

/** What is wrong with an object that says nothing of itself by `toJSON`. */
export function untaughtFault(value: object): Fault | undefined {
  if (value instanceof Error) return { found: 'an Error', fix: 'throw it, or give its message' };
  if (hasMethod(value, 'arrayBuffer')) {
    return {
      found: `a ${nameOf(value)}`,
      fix: 'read it: await it.json(), await it.text() or new Uint8Array(await it.arrayBuffer())',
    };
  }
  if (Symbol.asyncIterator in value || hasMethod(value, 'pipe')) {
    return { found: `a stream (${nameOf(value)})`, fix: 'read it to its end and give what was in it' };
  }
  const fix = `give a plain object with what a client needs of it, or a toJSON() to ${nameOf(value)}`;
  // Its fields are what was injected: stores, keys, connections
  if (isInjected(value)) return { found: `a controller or provider (${nameOf(value)})`, fix };
  return hidesAll(value)
    ? { found: `an instance of ${nameOf(value)} without data of its own`, fix }
    : undefined;
}

export function dateFault(value: Date): Fault | undefined {
  if (!Number.isNaN(value.getTime())) return undefined;
  return { found: 'an invalid Date', fix: 'give null where there is no date, and check what it was made of' };
}

/** @param around the way to the part that the value is once more */
export function cycleFault(around: Way): Fault {
  const what = around.length === 0 ? 'the whole value' : pathText(around);
  return { found: `${what} once more, a cycle`, fix: 'leave it out, or give an id instead' };
}

/** A name of an object is a text; what else a map may have for a key would become one that says nothing. */
export function keyFault(key: unknown): Fault | undefined {
  if (typeof key !== 'object' && typeof key !== 'function' && typeof key !== 'symbol') return undefined;
  return { found: 'a Map with keys that are no texts', fix: 'give a list of its entries: [...map]' };
}

/** JSON writes `{}`, although the class has more to say: by getters, methods or fields that are private. */
function hidesAll(value: object): boolean {
  if (Object.keys(value).length > 0 || isContainer(value)) return false;
  return !isPlainObject(value) && hasMembers(Object.getPrototypeOf(value) as object);
}

function hasMembers(prototype: object): boolean {
  const above = Object.getPrototypeOf(prototype) as object | null;
  // The last one is that of all objects
  if (above === null) return false;
  return Reflect.ownKeys(prototype).some((key) => key !== 'constructor') || hasMembers(above);
}

function isContainer(value: object): boolean {
  return [Array, Map, Set, Number, String, Boolean].some((type) => value instanceof type);
}

function hasMethod(value: object, name: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>>)[name] === 'function';
}

function nameOf(value: object): string {
  const { constructor } = value as { readonly constructor?: unknown };
  return typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'class';
}

function pathText(way: Way): string {
  const text = way
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : memberText(step)))
    .join('');
  return text.startsWith('.') ? text.slice(1) : text;
}

function memberText(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
