import { isPlainObject, jsonEntries, type PlainObject } from '../../../shared/json.ts';
import { pointTo } from '../../../schema/pointer.ts';
import { documentFault, type DocumentFault, type DocumentFaultCode } from './document-fault.ts';
import { DOCUMENT_LIMITS } from './workflow-document.ts';
import { describeValue } from '../../../shared/describe-value.ts';

interface ReadDocument {
  /** A deeply frozen copy. A value that JSON cannot represent becomes null and is reported as a fault. */
  readonly document: unknown;
  readonly faults: readonly DocumentFault[];
  /** Whether the limit stopped the reading. */
  readonly isTooLarge: boolean;
}

interface Place {
  readonly source: object;
  readonly copy: Record<string | number, unknown>;
  readonly level: number;
  readonly path: string;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Copies a JSON value without recursion, so it handles any depth. The limits stop a cyclic value.
 *
 * @param maxBytes of JSON
 */
export function readDocument(source: unknown, maxBytes: number): ReadDocument {
  const reader = new DocumentReader(maxBytes);
  const document = reader.read(source);
  return { document, faults: reader.faults, isTooLarge: reader.isTooLarge };
}

class DocumentReader {
  readonly faults: DocumentFault[] = [];
  readonly #places: Place[] = [];
  #bytesLeft: number;
  #pointersLeft: number = DOCUMENT_LIMITS.pointers;

  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  get isTooLarge(): boolean {
    return this.#bytesLeft < 0;
  }

  read(source: unknown): unknown {
    const document = this.#copyOf(source, '', undefined, 1);
    // The list grows during the loop
    for (const place of this.#places) this.#fill(place);
    for (const { copy } of this.#places) Object.freeze(copy);
    return document;
  }

  #fill({ source, copy, level, path }: Place): void {
    for (const [name, value] of this.#membersOf(source, path)) {
      if (this.isTooLarge) return;
      const inner = this.#copyOf(value, path, name, level + 1);
      // An assignment would change the prototype of the copy
      if (name === '__proto__') Object.defineProperty(copy, name, { value: inner, enumerable: true });
      else copy[name] = inner;
    }
  }

  #membersOf(source: object, path: string): Iterable<readonly [name: string | number, value: unknown]> {
    try {
      return Array.isArray(source) ? this.#itemsOf(source) : this.#namedOf(source as PlainObject, path);
    } catch {
      // Getters and proxies throw what they like
      this.#fault('WRONG_TYPE', path, 'cannot be read.');
      return [];
    }
  }

  #itemsOf(source: readonly unknown[]): Iterable<readonly [number, unknown]> {
    this.#take(Math.max(0, source.length - 1));
    // The length may be far greater than the number of items
    return this.isTooLarge ? [] : Array.from(source).entries();
  }

  #namedOf(source: PlainObject, path: string): readonly (readonly [string, unknown])[] {
    const members = jsonEntries(source);
    this.#take(Math.max(0, members.length - 1));
    for (const [name] of members) {
      this.#take(bytesOf(name) + 1);
      if (!LONE_SURROGATE.test(name)) continue;
      this.#fault('WRONG_TYPE', pointTo(path, name), 'has a lone surrogate, half a character, in its name.');
    }
    return members;
  }

  #copyOf(value: unknown, above: string, name: string | number | undefined, level: number): unknown {
    if (typeof value === 'string' && !LONE_SURROGATE.test(value)) {
      this.#take(bytesOf(value));
      return value;
    }
    if (value === null || typeof value === 'boolean' || Number.isFinite(value)) {
      this.#take(String(value).length);
      return value;
    }
    const path = name === undefined ? above : pointTo(above, name);
    if (isContainer(value)) return this.#enter(value, path, level);
    this.#fault('WRONG_TYPE', path, `has to be a JSON value, not ${kindOf(value)}.`);
    return null;
  }

  #enter(source: object, path: string, level: number): unknown {
    this.#take(2);
    if (level > DOCUMENT_LIMITS.levels) {
      this.#fault('TOO_LARGE', path, `is nested deeper than ${DOCUMENT_LIMITS.levels} levels.`);
      return null;
    }
    const copy = (Array.isArray(source) ? [] : {}) as Place['copy'];
    this.#places.push({ source, copy, level, path });
    return copy;
  }

  #take(bytes: number): void {
    this.#bytesLeft -= bytes;
  }

  #fault(code: DocumentFaultCode, path: string, what: string): void {
    if (this.faults.length > DOCUMENT_LIMITS.faults || this.#pointersLeft < 0) return;
    this.#pointersLeft -= path.length;
    this.faults.push(documentFault(codeOfPart(path) ?? code, path, what));
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function isContainer(value: unknown): value is object {
  try {
    return Array.isArray(value) || isPlainObject(value);
  } catch {
    // A revoked proxy
    return false;
  }
}

function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'text with a lone surrogate, half a character';
  return typeof value === 'object' ? 'an object of a class' : describeValue(value);
}

const PART =
  /^\/steps\/\d+(?:\/body\/\d+)?\/(?:(?:runCondition|requireConfirmation|loop\/condition)|(validationCriteria))(?:\/|$)/;

/** The fault code inside conditions and criteria, which have codes of their own; undefined elsewhere. */
function codeOfPart(path: string): DocumentFaultCode | undefined {
  const match = PART.exec(path);
  if (match === null) return undefined;
  return match[1] === undefined ? 'INVALID_CONDITION' : 'INVALID_CRITERIA';
}
