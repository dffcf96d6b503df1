import { ToolwrightError } from '../errors/toolwright-error.ts';
import { isInjected } from '../shared/injected.ts';
import { isThenable } from '../shared/maybe-promise.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';

/** The names and indices that lead to a part of a value. */
type Way = readonly (string | number)[];

/** Why a part of a value cannot be sent, and what to write instead. */
interface Fault {
  /** What it is, as the rest of a sentence that begins with "is". */
  readonly found: string;
  readonly fix: string;
}

/**
 * A plain copy of a value, with what `toJSON` gives, maps as objects and sets as lists.
 * @throws ToolwrightError TW_RESULT_NOT_DATA for what JSON would lose or change without a word.
 */
export function copyData(value: unknown): unknown {
  try {
    return new DataCopy().of(value);
  } catch (error) {
    silencePromises(value);
    throw error;
  }
}

type Taught = { toJSON(name: string): unknown };

/** One walk through a value, which knows the way to where it is. */
class DataCopy {
  readonly #way: (string | number)[] = [];
  readonly #above: object[] = [];

  of(value: unknown): unknown {
    if (typeof value === 'object' && value !== null) return this.#ofObject(value);
    // A function or a bigint may have been taught
    if (isTaught(value)) return this.of(this.#json(value));
    this.#refuse(scalarFault(value));
    return value;
  }

  #ofObject(value: object): unknown {
    const around = this.#above.indexOf(value);
    if (around >= 0) this.#refuse(cycleFault(this.#way.slice(0, around)));
    if (value instanceof Promise) value.catch(ignore);
    this.#refuse(foreignFault(value));
    const data = isTaught(value) ? this.#json(value) : value;
    if (typeof data !== 'object' || data === null) return this.of(data);
    // What toJSON gives is not asked for another toJSON
    this.#refuse((data === value ? undefined : foreignFault(data)) ?? untaughtFault(data));
    this.#above.push(value);
    const copy = this.#members(data);
    this.#above.pop();
    return copy;
  }

  #json(value: Taught): unknown {
    if (value instanceof Date) this.#refuse(dateFault(value));
    return value.toJSON(String(this.#way.at(-1) ?? ''));
  }

  #members(data: object): unknown {
    if (Array.isArray(data)) return this.#list(data);
    if (data instanceof Set) return this.#list([...(data as ReadonlySet<unknown>)]);
    if (data instanceof Map) return this.#map(data as ReadonlyMap<unknown, unknown>);
    if (data instanceof Number || data instanceof String || data instanceof Boolean) return data.valueOf();
    const copy: Record<string, unknown> = {};
    const isOfClass = !isPlainObject(data);
    for (const name of Object.keys(data)) {
      const member = (data as PlainObject)[name];
      // A function of an instance is one of its methods, and no data
      if (typeof member === 'function' && (isOfClass || name === 'toJSON') && !isTaught(member)) continue;
      this.#put(copy, name, member);
    }
    return copy;
  }

  #list(items: readonly unknown[]): unknown {
    const copy: unknown[] = [];
    for (let index = 0; index < items.length; index += 1) {
      this.#way.push(index);
      copy.push(this.of(items[index]));
      this.#way.pop();
    }
    return copy;
  }

  #map(map: ReadonlyMap<unknown, unknown>): unknown {
    const copy: Record<string, unknown> = {};
    for (const [key, member] of map) {
      this.#refuse(keyFault(key));
      this.#put(copy, String(key), member);
    }
    return copy;
  }

  #put(copy: Record<string, unknown>, name: string, member: unknown): void {
    this.#way.push(name);
    const value = this.of(member);
    this.#way.pop();
    if (name !== '__proto__') copy[name] = value;
    else Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  }

  #refuse(fault: Fault | undefined): void {
    if (fault !== undefined) throw notData(this.#way, fault);
  }
}

function isTaught(value: unknown): value is Taught {
  if (
    (typeof value !== 'object' || value === null) &&
    typeof value !== 'function' &&
    typeof value !== 'bigint'
  )
    return false;
  return typeof (value as Partial<Taught>).toJSON === 'function';
}

/** A promise that nobody awaits would end the process when it fails, after the answer was given. */
function silencePromises(value: unknown): void {
  const found = new Set<unknown>([value]);
  // A set goes on with what is added to it
  for (const part of found) {
    if (part instanceof Promise) part.catch(ignore);
    else for (const member of membersOf(part)) found.add(member);
  }
}

/** Without what is in streams and the like, and without asking getters, which might throw or give yet another promise. */
function membersOf(value: unknown): Iterable<unknown> {
  if (typeof value !== 'object' || value === null) return [];
  if (value instanceof Map || value instanceof Set) return value.values();
  if (foreignFault(value) !== undefined || untaughtFault(value) !== undefined) return [];
  const members = Object.values(Object.getOwnPropertyDescriptors(value)) as readonly PropertyDescriptor[];
  return members.map((member): unknown => member.value);
}

function ignore(): void {
  return undefined;
}

/** The error of a value that cannot be sent; it names the part, as code would: `rows[2].owner`. */
function notData(way: Way, { found, fix }: Fault): ToolwrightError {
  return new ToolwrightError('TW_RESULT_NOT_DATA', {
    where: way.length === 0 ? 'The value' : pathText(way),
    what: `is ${found}, which JSON does not carry.`,
    fix,
  });
}

/** What is wrong with a value that is not an object. */
function scalarFault(value: unknown): Fault | undefined {
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
function foreignFault(value: object): Fault | undefined {
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
function untaughtFault(value: object): Fault | undefined {
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

function dateFault(value: Date): Fault | undefined {
  if (!Number.isNaN(value.getTime())) return undefined;
  return { found: 'an invalid Date', fix: 'give null where there is no date, and check what it was made of' };
}

/** @param around the way to the part that the value is once more */
function cycleFault(around: Way): Fault {
  const what = around.length === 0 ? 'the whole value' : pathText(around);
  return { found: `${what} once more, a cycle`, fix: 'leave it out, or give an id instead' };
}

/** A name of an object is a text; what else a map may have for a key would become one that says nothing. */
function keyFault(key: unknown): Fault | undefined {
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
