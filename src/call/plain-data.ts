import { isInjected } from '../shared/injected.ts';
import { isPlainObject, type PlainObject } from '../shared/json.ts';
import {
  cycleFault,
  dateFault,
  foreignFault,
  keyFault,
  notData,
  scalarFault,
  untaughtFault,
  type Fault,
} from './not-data.ts';

/** Deeper data may be a cycle, which only the copy looks for. */
const DEEPEST = 32;

/**
 * What JSON carries of a value: the value itself where JSON loses nothing of it, and otherwise a plain copy,
 * with what `toJSON` gives, maps as objects and sets as lists.
 * @throws ToolwrightError TW_RESULT_NOT_DATA for what JSON would lose or change without a word.
 */
export function plainData(value: unknown): unknown {
  if (isPlain(value, 0)) return value;
  try {
    return new DataCopy().of(value);
  } catch (error) {
    silencePromises(value);
    throw error;
  }
}

function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || isPlainContainer(value, depth);
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  if (depth > DEEPEST) return false;
  if ('toJSON' in value) return isValidDate(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isPlain(value[index], depth + 1)) return false;
    return true;
  }
  const isOfClass = Object.getPrototypeOf(value) !== Object.prototype;
  if (isOfClass && mayBeForeign(value)) return false;
  let isEmpty = true;
  for (const name in value) {
    if (!isPlain((value as PlainObject)[name], depth + 1)) return false;
    isEmpty = false;
  }
  // What is iterated says so under a symbol, which JSON does not read
  return !isEmpty || (!isOfClass && !(Symbol.asyncIterator in value));
}

/** Whether an object has what promises, errors, collections, streams or bodies have, or was injected: a closer look says. */
function mayBeForeign(value: object): boolean {
  return (
    'then' in value ||
    'stack' in value ||
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    'pipe' in value ||
    'arrayBuffer' in value ||
    isInjected(value)
  );
}

function isValidDate(value: object): boolean {
  return value instanceof Date && Number.isFinite(value.getTime()) && value.toJSON === Date.prototype.toJSON;
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
