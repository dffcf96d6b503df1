/** A part of a JSON text: its value, and where it stands. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object. */
  readonly object: JsonObject | undefined;
}

export interface JsonObject {
  /** By name; of two members with one name the later one, as for JSON.parse. */
  readonly members: ReadonlyMap<string, JsonNode>;
  /** Where the last member ends, with its comma; without members, behind the bracket. */
  readonly tail: number;
  readonly needsComma: boolean;
}

const SPACE = /(?:[\s\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Reads JSON as editors write it: comments are allowed, and a comma after the last member.
 * @returns undefined for a text without a value
 * @throws SyntaxError that names the line
 */
export function parseDocument(text: string): JsonNode | undefined {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode | undefined {
    this.#take(SPACE);
    if (this.#position === this.#text.length) return undefined;
    const node = this.#node();
    this.#take(SPACE);
    if (this.#position < this.#text.length) throw this.#fault('the end');
    return node;
  }

  #node(): JsonNode {
    const start = this.#position;
    if (this.#takeCharacter('{')) {
      const object = this.#object();
      const value = Object.fromEntries([...object.members].map(([name, node]) => [name, node.value]));
      return { start, end: this.#position, value, object };
    }
    const value = this.#takeCharacter('[') ? this.#items() : this.#scalar();
    return { start, end: this.#position, value, object: undefined };
  }

  #object(): JsonObject {
    const members = new Map<string, JsonNode>();
    const end = this.#untilClosed('}', () => {
      const name = this.#string();
      if (name === undefined) throw this.#fault('a name in double quotes');
      this.#take(SPACE);
      if (!this.#takeCharacter(':')) throw this.#fault('a colon');
      this.#take(SPACE);
      members.set(name, this.#node());
    });
    return { members, ...end };
  }

  #items(): readonly unknown[] {
    const items: unknown[] = [];
    this.#untilClosed(']', () => items.push(this.#node().value));
    return items;
  }

  #untilClosed(bracket: string, readOne: () => void): Omit<JsonObject, 'members'> {
    let tail = this.#position;
    let needsComma = false;
    for (;;) {
      this.#take(SPACE);
      if (this.#takeCharacter(bracket)) return { tail, needsComma };
      if (needsComma) throw this.#fault(`a comma or ${bracket}`);
      readOne();
      tail = this.#position;
      this.#take(SPACE);
      needsComma = !this.#takeCharacter(',');
      if (!needsComma) tail = this.#position;
    }
  }

  #scalar(): unknown {
    const text = this.#string();
    if (text !== undefined) return text;
    const literal = this.#take(LITERAL);
    if (literal === '') throw this.#fault('a value');
    return JSON.parse(literal) as unknown;
  }

  #string(): string | undefined {
    const quoted = this.#take(STRING);
    if (quoted === '') return undefined;
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw this.#fault('a text with valid escapes before this');
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#position += found.length;
    return found;
  }

  #takeCharacter(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position += 1;
    return true;
  }

  #fault(expected: string): SyntaxError {
    const lines = this.#text.slice(0, this.#position).split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    return new SyntaxError(
      `line ${String(lines.length)}, column ${String(column)}: ${expected} is expected here`,
    );
  }
}
