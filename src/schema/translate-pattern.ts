import { readEscape } from './pattern-escapes.ts';
import { literal, translateClass, type Translated } from './translate-class.ts';

const MOST_REPEATS = 1000;
const REPEAT = /\{(\d+)(?:,(\d*))?\}/y;
const GROUP = /\((\?(?:[:=!]|<[=!]|<(?![=!]))?)?/y;
const NAME = /[^>]*>/y;

/**
 * Rewrites a regular expression of ECMAScript, which has to be a valid one, for RE2. It goes further than what
 * re2js offers for this: there `.`, `\s`, surrogate pairs and `\k<name>` would silently mean something else.
 * @returns undefined for what RE2 cannot do: look-around, back-references and repeat counts above 1000
 */
export function translatePattern(source: string): string | undefined {
  let text = '';
  for (let position = 0; position < source.length;) {
    const next = translateNext(source, position);
    if (next === undefined) return undefined;
    text += next.text;
    position += next.length;
  }
  return text;
}

function translateNext(source: string, position: number): Translated | undefined {
  const character = source.charAt(position);
  switch (character) {
    case '\\':
      return translateEscape(source, position);
    case '[':
      return translateClass(source, position);
    case '(':
      return translateGroup(source, position);
    case '{':
      return translateRepeat(source, position);
    case '.':
      return { text: '[^\\n\\r\\x{2028}\\x{2029}]', length: 1 };
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

function translateEscape(source: string, position: number): Translated | undefined {
  const read = readEscape(source, position, false);
  if (read === undefined) return undefined;
  const { atom, length } = read;
  if (atom.kind === 'character') return { text: literal(atom.codePoint), length };
  return { text: atom.kind === 'set' ? `[${atom.members}]` : atom.text, length };
}

/** No group captures: nothing looks at what it caught, and RE2 is faster without. */
function translateGroup(source: string, position: number): Translated | undefined {
  GROUP.lastIndex = position;
  const [text = '', kind] = GROUP.exec(source) ?? [];
  if (kind === undefined || kind === '?:') return { text: '(?:', length: text.length };
  if (kind !== '?<') return undefined;
  NAME.lastIndex = position + text.length;
  const [name = ''] = NAME.exec(source) ?? [];
  return { text: '(?:', length: text.length + name.length };
}

function translateRepeat(source: string, position: number): Translated | undefined {
  REPEAT.lastIndex = position;
  const [text, least = '0', most = ''] = REPEAT.exec(source) ?? [];
  if (text === undefined) return translateCharacter(source, position);
  return Math.max(Number(least), Number(most)) > MOST_REPEATS ? undefined : { text, length: text.length };
}
