import { parseDocument, type JsonNode, type JsonObject } from './json-document.ts';

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
