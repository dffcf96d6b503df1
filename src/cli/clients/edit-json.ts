/** The place of a value: the name of an object in the document, and that of a member of it. */
export type MemberPath = readonly [group: string, name: string];

/** The value at a place of a document, or undefined. */
export function readMember(text: string, [group, name]: MemberPath): unknown {
  return parseDocument(text)?.object?.members.get(group)?.object?.members.get(name)?.value;
}

/**
 * The document with another value at a place. Everything else, comments included, stays as it is.
 * @throws SyntaxError for a text that is not JSON, or has something else at that place
 */
export function writeMember(text: string, [group, name]: MemberPath, value: unknown): string {
  const root = parseDocument(text);
  if (root === undefined || text.trim() === '{}') {
    const before = root === undefined ? text : '';
    return `${before}${JSON.stringify({ [group]: { [name]: value } }, undefined, 2)}\n`;
  }
  const style = new Style(text);
  if (root.object === undefined) throw new SyntaxError('it is not an object');
  const parent = root.object.members.get(group);
  if (parent === undefined) return insert(text, root, root.object, group, { [name]: value }, style);
  if (parent.object === undefined) throw new SyntaxError(`${JSON.stringify(group)} is not an object`);
  const known = parent.object.members.get(name);
  if (known === undefined) return insert(text, parent, parent.object, name, value, style);
  const { start, end } = known;
  return text.slice(0, start) + style.write(value, style.indentAt(start)) + text.slice(end);
}

/** Adds a member after the last one, and after the comment that may stand beside it. */
function insert(
  text: string,
  { start }: JsonNode,
  { members, tail, needsComma }: JsonObject,
  name: string,
  value: unknown,
  style: Style,
): string {
  const [beside = ''] = /^(?:[^\S\r\n]|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/.exec(text.slice(tail)) ?? [];
  const rest = text.slice(tail + beside.length);
  const first = [...members.values()].find((member) => text.slice(start, member.start).includes('\n'));
  const indent = first === undefined ? style.indentAt(start) + style.unit : style.indentAt(first.start);
  return [
    text.slice(0, tail),
    needsComma ? ',' : '',
    rest.startsWith('}') ? beside.trimEnd() : beside,
    style.newLine(indent),
    `${JSON.stringify(name)}:${style.gap}${style.write(value, indent)}`,
    rest.startsWith('}') ? style.newLine(style.indentAt(start)) : '',
    rest,
  ].join('');
}

/** How a document is laid out. */
class Style {
  readonly unit: string;
  readonly gap: string;
  readonly #text: string;
  /** Empty where the whole document is one line. */
  readonly #lineEnd: string;

  constructor(text: string) {
    const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? [];
    const isOneLine = !text.trim().includes('\n');
    this.#text = text;
    this.#lineEnd = isOneLine ? '' : text.includes('\r\n') ? '\r\n' : '\n';
    this.unit = isOneLine ? '' : unit;
    this.gap = isOneLine ? '' : ' ';
  }

  /** The white space with which the line of a position begins. */
  indentAt(position: number): string {
    const line = this.#text.slice(this.#text.lastIndexOf('\n', position - 1) + 1, position);
    return this.#lineEnd === '' ? '' : (/^[ \t]*/.exec(line)?.[0] ?? '');
  }

  newLine(indent: string): string {
    return this.#lineEnd === '' ? '' : this.#lineEnd + indent;
  }

  write(value: unknown, indent: string): string {
    if (this.#lineEnd === '') return JSON.stringify(value);
    return JSON.stringify(value, undefined, this.unit).replaceAll('\n', this.#lineEnd + indent);
  }
}

/** A part of a JSON text: its value, and where it stands. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  /** Of an object. */
  readonly object: JsonObject | undefined;
}

interface JsonObject {
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
