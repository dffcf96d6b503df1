/** A feature of a pattern that RE2 does not support: "uses look-around, which cannot run in linear time". */
export class UnsupportedPatternError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'UnsupportedPatternError';
  }
}

/** A piece of a pattern in the syntax of RE2, and its length in the original pattern. */
interface Translated {
  readonly text: string;
  readonly length: number;
}

const MAX_REPEATS = 1000;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/y;
const GROUP = /\((\?(?:[:=!]|<[=!]|<(?![=!]))?)?/y;
const NAME = /[^>]*>/y;
const GROUP_OF_RE2 = /\(\?(?:([imsU]*(?:-[imsU]+)?[:)])|P<[^>]*>)/y;
const ESCAPE_OF_RE2 = /\\(?:x\{([0-9a-fA-F]{1,6})\}|([pP][A-Z])|0([0-7]{1,2})|[Az])/y;
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/**
 * Rewrites a regular expression of ECMAScript, which has to be a valid one, for RE2. It goes further than what
 * re2js offers for this: there `.`, `\s`, surrogate pairs and `\k<name>` would silently mean something else.
 * @param flags with `s`, a dot stands for line ends, too; the engine handles the others
 * @param isLenient keeps syntax that only RE2 has: `(?i)`, `(?P<name>…)`, `\A`, `\z`, `\pL`, `\x{61}`. People
 * know it from other languages
 * @throws UnsupportedPatternError for look-around, back-references and repeat counts above 1000
 */
export function translatePattern(source: string, flags = '', isLenient = false): string {
  const dot = flags.includes('s') ? '.' : NO_LINE_END;
  let text = '';
  for (let position = 0; position < source.length;) {
    const isDot = source.charAt(position) === '.';
    const next = isDot ? { text: dot, length: 1 } : translateNext(source, position, isLenient);
    text += next.text;
    position += next.length;
  }
  return text;
}

function translateNext(source: string, position: number, isLenient: boolean): Translated {
  const character = source.charAt(position);
  switch (character) {
    case '\\':
      return translateEscape(source, position, isLenient);
    case '[':
      return translateClass(source, position, isLenient);
    case '(':
      return (isLenient ? groupOfRe2(source, position) : undefined) ?? translateGroup(source, position);
    case '{':
      return translateRepeat(source, position);
    default:
      return /[)|*+?^$]/.test(character)
        ? { text: character, length: 1 }
        : translateCharacter(source, position);
  }
}

function translateCharacter(source: string, position: number): Translated {
  const codePoint = source.codePointAt(position) ?? 0;
  return { text: literal(codePoint), length: codePoint > 0xffff ? 2 : 1 };
}

function translateEscape(source: string, position: number, isLenient: boolean): Translated {
  const { atom, length } = readEscape(source, position, { isInClass: false, isLenient });
  if (atom.kind === 'character') return { text: literal(atom.codePoint), length };
  return { text: atom.kind === 'set' ? `[${atom.members}]` : atom.text, length };
}

/** Groups do not capture: captures are never read, and RE2 is faster without them. */
function translateGroup(source: string, position: number): Translated {
  GROUP.lastIndex = position;
  const [text = '', kind] = GROUP.exec(source) ?? [];
  if (kind === undefined || kind === '?:') return { text: '(?:', length: text.length };
  if (kind !== '?<') throw new UnsupportedPatternError('uses look-around, which cannot run in linear time');
  NAME.lastIndex = position + text.length;
  const [name = ''] = NAME.exec(source) ?? [];
  return { text: '(?:', length: text.length + name.length };
}

function groupOfRe2(source: string, position: number): Translated | undefined {
  GROUP_OF_RE2.lastIndex = position;
  const [text, modifiers] = GROUP_OF_RE2.exec(source) ?? [];
  if (text === undefined) return undefined;
  return { text: modifiers === undefined ? '(?:' : text, length: text.length };
}

function translateRepeat(source: string, position: number): Translated {
  REPEAT.lastIndex = position;
  const [text, least = '0', most = ''] = REPEAT.exec(source) ?? [];
  if (text === undefined) return translateCharacter(source, position);
  if (Math.max(Number(least), Number(most)) > MAX_REPEATS) {
    throw new UnsupportedPatternError(`repeats something more than ${String(MAX_REPEATS)} times`);
  }
  return { text, length: text.length };
}

/** One character in the syntax of RE2, in which nothing but letters and digits can have a meaning of its own. */
function literal(codePoint: number): string {
  const text = String.fromCodePoint(codePoint);
  return /[0-9A-Za-z]/.test(text) ? text : `\\x{${codePoint.toString(16)}}`;
}

/** Translates the class that opens at a position. */
function translateClass(source: string, start: number, isLenient: boolean): Translated {
  const isNegated = source.charAt(start + 1) === '^';
  let position = start + (isNegated ? 2 : 1);
  let members = '';
  while (source.charAt(position) !== ']') {
    const first = readMember(source, position, isLenient);
    position += first.length;
    const last = readRangeEnd(source, position, isLenient);
    if (isCharacter(first) && last !== undefined && isCharacter(last)) {
      members += `${literal(first.atom.codePoint)}-${literal(last.atom.codePoint)}`;
      position += 1 + last.length;
    } else {
      members += textOf(first);
    }
  }
  const length = position + 1 - start;
  // RE2 wants a member, in ECMAScript [] matches nothing and [^] any character.
  if (members === '') return { text: isNegated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]', length };
  return { text: `[${isNegated ? '^' : ''}${members}]`, length };
}

function readMember(source: string, position: number, isLenient: boolean): ReadAtom {
  if (source.charAt(position) === '\\') return readEscape(source, position, { isInClass: true, isLenient });
  const codePoint = source.codePointAt(position);
  if (codePoint === undefined) throw new UnsupportedPatternError('has a class that does not end');
  return { atom: { kind: 'character', codePoint }, length: codePoint > 0xffff ? 2 : 1 };
}

function readRangeEnd(source: string, position: number, isLenient: boolean): ReadAtom | undefined {
  if (source.charAt(position) !== '-' || source.charAt(position + 1) === ']') return undefined;
  return readMember(source, position + 1, isLenient);
}

type ReadCharacter = ReadAtom & { readonly atom: { readonly kind: 'character' } };

function isCharacter(read: ReadAtom): read is ReadCharacter {
  return read.atom.kind === 'character';
}

function textOf({ atom }: ReadAtom): string {
  if (atom.kind === 'character') return literal(atom.codePoint);
  return atom.kind === 'set' ? atom.members : atom.text;
}

/** An atom of a pattern: a character, a set of characters or a boundary. */
type PatternAtom =
  | { readonly kind: 'character'; readonly codePoint: number }
  /** Members of a class, in the syntax of RE2, without the brackets. */
  | { readonly kind: 'set'; readonly members: string }
  | { readonly kind: 'boundary'; readonly text: string };

/** An atom, and its length in the pattern. */
interface ReadAtom {
  readonly atom: PatternAtom;
  readonly length: number;
}

// ECMAScript counts all of these as white space, RE2 only those of ASCII without \v.
const SPACES =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

const SETS: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['D', '\\D'],
  ['w', '0-9A-Za-z_'],
  ['W', '\\W'],
  ['s', SPACES],
  ['S', NO_SPACES],
]);

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
]);

const LAST_CODE_POINT = 0x10ffff;
const CODE_POINT =
  /\\(?:u\{([0-9a-f]+)\}|u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|x([0-9a-f]{2})|c([a-z]))/iy;
const PROPERTY = /\\([pP])\{(?:(?:sc|Script|gc|General_Category)=)?(\w+)\}/y;

interface EscapeSyntax {
  readonly isInClass: boolean;
  readonly isLenient: boolean;
}

/** Reads the escape at a position. */
function readEscape(source: string, position: number, { isInClass, isLenient }: EscapeSyntax): ReadAtom {
  return (
    (isLenient ? escapeOfRe2(source, position) : undefined) ??
    readCodePoint(source, position) ??
    readProperty(source, position) ??
    readSimple(source, position, isInClass)
  );
}

function escapeOfRe2(source: string, position: number): ReadAtom | undefined {
  ESCAPE_OF_RE2.lastIndex = position;
  const [text, hexadecimal, property, octal] = ESCAPE_OF_RE2.exec(source) ?? [];
  if (text === undefined) return undefined;
  const { length } = text;
  if (octal !== undefined) return character(Number.parseInt(octal, 8), length);
  if (hexadecimal !== undefined) return character(codePointOf(hexadecimal, text), length);
  return {
    atom: property === undefined ? { kind: 'boundary', text } : { kind: 'set', members: text },
    length,
  };
}

function readCodePoint(source: string, position: number): ReadAtom | undefined {
  CODE_POINT.lastIndex = position;
  const [text, braced, high, low, four, two, control] = CODE_POINT.exec(source) ?? [];
  if (text === undefined) return undefined;
  const hexadecimal = braced ?? four ?? two;
  if (hexadecimal !== undefined) return character(codePointOf(hexadecimal, text), text.length);
  if (control !== undefined) return character(control.charCodeAt(0) % 32, text.length);
  const pair = [high, low].map((half = '') => Number.parseInt(half, 16));
  // The two halves of a surrogate pair are one character, which RE2 would not see.
  return character(String.fromCharCode(...pair).codePointAt(0) ?? 0, text.length);
}

function codePointOf(hexadecimal: string, text: string): number {
  const codePoint = Number.parseInt(hexadecimal, 16);
  // Where `\u{…}` is not an escape, its digits may stand for anything
  if (codePoint <= LAST_CODE_POINT) return codePoint;
  throw new UnsupportedPatternError(`has no character at ${text}`);
}

function readProperty(source: string, position: number): ReadAtom | undefined {
  PROPERTY.lastIndex = position;
  const [text, letter = '', name = ''] = PROPERTY.exec(source) ?? [];
  if (text === undefined) return undefined;
  return { atom: { kind: 'set', members: `\\${letter}{${name}}` }, length: text.length };
}

function readSimple(source: string, position: number, isInClass: boolean): ReadAtom {
  const codePoint = source.codePointAt(position + 1);
  if (codePoint === undefined) throw new UnsupportedPatternError('ends with a backslash');
  const escaped = String.fromCodePoint(codePoint);
  const length = 1 + escaped.length;
  const members = SETS.get(escaped);
  if (members !== undefined) return { atom: { kind: 'set', members }, length };
  if (escaped === 'b' && isInClass) return character(8, length);
  if (/[bB]/.test(escaped)) return { atom: { kind: 'boundary', text: `\\${escaped}` }, length };
  if (escaped === '0' && !/\d/.test(source.charAt(position + 2))) return character(0, length);
  if (/[1-9k]/.test(escaped)) {
    throw new UnsupportedPatternError('uses a back-reference, which cannot run in linear time');
  }
  // These come here only when they are incomplete
  if (/[0cpPux]/.test(escaped)) throw new UnsupportedPatternError(`uses \\${escaped} in an unknown way`);
  return character(CONTROLS.get(escaped) ?? codePoint, length);
}

function character(codePoint: number, length: number): ReadAtom {
  return { atom: { kind: 'character', codePoint }, length };
}
