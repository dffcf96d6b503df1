/** What stands for one or more characters in a pattern. */
export type PatternAtom =
  | { readonly kind: 'character'; readonly codePoint: number }
  /** Members of a class, in the syntax of RE2, without the brackets. */
  | { readonly kind: 'set'; readonly members: string }
  | { readonly kind: 'boundary'; readonly text: string };

/** An atom, and how much of the pattern it takes. */
export interface ReadAtom {
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

const CODE_POINT =
  /\\(?:u\{([0-9a-f]+)\}|u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|x([0-9a-f]{2})|c([a-z]))/iy;
const PROPERTY = /\\([pP])\{(?:(?:sc|Script|gc|General_Category)=)?(\w+)\}/y;

/** Reads the escape at a position; undefined for one that RE2 has nothing for. */
export function readEscape(source: string, position: number, isInClass: boolean): ReadAtom | undefined {
  return (
    readCodePoint(source, position) ??
    readProperty(source, position) ??
    readSimple(source, position, isInClass)
  );
}

function readCodePoint(source: string, position: number): ReadAtom | undefined {
  CODE_POINT.lastIndex = position;
  const [text, braced, high, low, four, two, control] = CODE_POINT.exec(source) ?? [];
  if (text === undefined) return undefined;
  const hexadecimal = braced ?? four ?? two;
  if (hexadecimal !== undefined) return character(Number.parseInt(hexadecimal, 16), text.length);
  if (control !== undefined) return character(control.charCodeAt(0) % 32, text.length);
  const pair = [high, low].map((half = '') => Number.parseInt(half, 16));
  // The two halves of a surrogate pair are one character, which RE2 would not see.
  return character(String.fromCharCode(...pair).codePointAt(0) ?? 0, text.length);
}

function readProperty(source: string, position: number): ReadAtom | undefined {
  PROPERTY.lastIndex = position;
  const [text, letter = '', name = ''] = PROPERTY.exec(source) ?? [];
  if (text === undefined) return undefined;
  return { atom: { kind: 'set', members: `\\${letter}{${name}}` }, length: text.length };
}

function readSimple(source: string, position: number, isInClass: boolean): ReadAtom | undefined {
  const codePoint = source.codePointAt(position + 1);
  if (codePoint === undefined) return undefined;
  const escaped = String.fromCodePoint(codePoint);
  const length = 1 + escaped.length;
  const members = SETS.get(escaped);
  if (members !== undefined) return { atom: { kind: 'set', members }, length };
  if (escaped === 'b' && isInClass) return character(8, length);
  if (/[bB]/.test(escaped)) return { atom: { kind: 'boundary', text: `\\${escaped}` }, length };
  if (escaped === '0' && !/\d/.test(source.charAt(position + 2))) return character(0, length);
  // \1 and \k refer back; \c, \p, \u and \x come here only when they are incomplete.
  if (/[0-9ckpPux]/.test(escaped)) return undefined;
  return character(CONTROLS.get(escaped) ?? codePoint, length);
}

function character(codePoint: number, length: number): ReadAtom {
  return { atom: { kind: 'character', codePoint }, length };
}
