import type { Draft } from './draft.ts';

/** Where a text stops being JSON. */
export interface ReadFault {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** What is in the way of a number or a word, or ends it. */
const BARE = /[^\s,:[\]{}"]+/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;
/** Deeper values are kept as text. */
const DEEPEST = 200;

/**
 * Reads JSON with its numbers as text. Text that is not JSON becomes one raw draft, but for a bare word in place of a
 * number, which stays in its place.
 */
export function readDraft(text: string): Draft {
  const reader = new Reader(text);
  return reader.read() ?? { kind: 'raw', text };
}

/** Undefined where the text has the form of JSON. */
export function readFault(text: string): ReadFault | undefined {
  const reader = new Reader(text);
  if (reader.read() !== undefined) return undefined;
  const before = text.slice(0, reader.offset).split('\n');
  return { offset: reader.offset, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

class Reader {
  readonly #text: string;
  offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Draft | undefined {
    const draft = this.#value(0);
    this.#take(SPACE);
    return this.offset === this.#text.length ? draft : undefined;
  }

  #value(depth: number): Draft | undefined {
    this.#take(SPACE);
    if (depth > DEEPEST) return undefined;
    const first = this.#text[this.offset];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#list(depth);
    if (first === '"') {
      const text = this.#string();
      return text === undefined ? undefined : { kind: 'text', text };
    }
    const bare = this.#take(BARE);
    if (bare === '') return undefined;
    if (bare === 'null') return { kind: 'null' };
    if (bare === 'true' || bare === 'false') return { kind: 'boolean', value: bare === 'true' };
    return { kind: 'number', text: bare };
  }

  #list(depth: number): Draft | undefined {
    const items: Draft[] = [];
    this.offset += 1;
    if (this.#punctuation(']')) return { kind: 'list', items };
    do {
      const item = this.#value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#punctuation(','));
    return this.#punctuation(']') ? { kind: 'list', items } : undefined;
  }

  #object(depth: number): Draft | undefined {
    const members = new Map<string, Draft>();
    this.offset += 1;
    if (this.#punctuation('}')) return { kind: 'object', members: [] };
    do {
      this.#take(SPACE);
      const name = this.#string();
      // Of two members with one name only the text can show both
      if (name === undefined || members.has(name) || !this.#punctuation(':')) return undefined;
      const member = this.#value(depth + 1);
      if (member === undefined) return undefined;
      members.set(name, member);
    } while (this.#punctuation(','));
    return this.#punctuation('}') ? { kind: 'object', members: [...members] } : undefined;
  }

  #string(): string | undefined {
    const text = this.#take(TEXT);
    return text === '' ? undefined : (JSON.parse(text) as string);
  }

  #punctuation(character: string): boolean {
    this.#take(SPACE);
    if (this.#text[this.offset] !== character) return false;
    this.offset += 1;
    return true;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.offset;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.offset += taken.length;
    return taken;
  }
}
