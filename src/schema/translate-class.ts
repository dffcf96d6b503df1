import { readEscape, type ReadAtom } from './pattern-escapes.ts';

/** A piece of a pattern in the syntax of RE2, and how much of the pattern it takes. */
export interface Translated {
  readonly text: string;
  readonly length: number;
}

/** One character in the syntax of RE2, in which nothing but letters and digits can have a meaning of its own. */
export function literal(codePoint: number): string {
  const text = String.fromCodePoint(codePoint);
  return /[0-9A-Za-z]/.test(text) ? text : `\\x{${codePoint.toString(16)}}`;
}

/** Translates the class that opens at a position; undefined when RE2 has nothing for it. */
export function translateClass(source: string, start: number): Translated | undefined {
  const isNegated = source.charAt(start + 1) === '^';
  let position = start + (isNegated ? 2 : 1);
  let members = '';
  while (source.charAt(position) !== ']') {
    const first = readMember(source, position);
    if (first === undefined) return undefined;
    position += first.length;
    const last = readRangeEnd(source, position);
    if (isCharacter(first) && last !== undefined && isCharacter(last)) {
      members += `${literal(first.atom.codePoint)}-${literal(last.atom.codePoint)}`;
      position += 1 + last.length;
    } else {
      members += textOf(first);
    }
  }
  const length = position + 1 - start;
  // RE2 wants a member, ECMAScript takes [] for nothing and [^] for anything.
  if (members === '') return { text: isNegated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]', length };
  return { text: `[${isNegated ? '^' : ''}${members}]`, length };
}

function readMember(source: string, position: number): ReadAtom | undefined {
  if (source.charAt(position) === '\\') return readEscape(source, position, true);
  const codePoint = source.codePointAt(position);
  if (codePoint === undefined) return undefined;
  return { atom: { kind: 'character', codePoint }, length: codePoint > 0xffff ? 2 : 1 };
}

function readRangeEnd(source: string, position: number): ReadAtom | undefined {
  if (source.charAt(position) !== '-' || source.charAt(position + 1) === ']') return undefined;
  return readMember(source, position + 1);
}

type ReadCharacter = ReadAtom & { readonly atom: { readonly kind: 'character' } };

function isCharacter(read: ReadAtom): read is ReadCharacter {
  return read.atom.kind === 'character';
}

function textOf({ atom }: ReadAtom): string {
  if (atom.kind === 'character') return literal(atom.codePoint);
  return atom.kind === 'set' ? atom.members : atom.text;
}
