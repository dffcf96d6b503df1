import { UnsupportedPatternError } from './unsupported-pattern-error.ts';

// What ECMAScript takes for white space; the engine by itself knows that of ASCII, without \v. The ranges at the
// end let a hyphen that follows stand for itself.
const SPACES =
  '\\x{20}\\x{a0}\\x{1680}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}\\x{2000}-\\x{200a}\\x{9}-\\x{d}';
const NO_SPACES =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

const TOKEN = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\?[^]/giu;

/**
 * Puts in what the engine's own translation leaves out, where `\s`, `.` and surrogate pairs would silently mean
 * something else than in ECMAScript.
 * @throws UnsupportedPatternError for a named back-reference, which would silently be plain text, and for `\Q`,
 * which would silently quote
 */
export function adaptPattern(source: string, flags: string): string {
  const dot = flags.includes('s') ? '.' : NO_LINE_END;
  let isInClass = false;
  return source.replace(TOKEN, (token: string, high?: string, low?: string) => {
    if (high !== undefined && low !== undefined) return codePoint(high, low);
    switch (token) {
      case '[':
        // Unescaped, it could begin a POSIX class, such as [:alpha:]
        if (isInClass) return '\\[';
        isInClass = true;
        return token;
      case ']':
        isInClass = false;
        return token;
      case '.':
        return isInClass ? token : dot;
      case '\\s':
        return isInClass ? SPACES : `[${SPACES}]`;
      case '\\S':
        return isInClass ? NO_SPACES : `[${NO_SPACES}]`;
      default:
        refuse(token);
        return token;
    }
  });
}

function refuse(token: string): void {
  if (token === '\\Q') throw new UnsupportedPatternError('uses \\Q, which quotes nothing in JavaScript');
  if (token !== '\\k') return;
  throw new UnsupportedPatternError('uses a back-reference, which cannot run in linear time');
}

function codePoint(high: string, low: string): string {
  const halves = [high, low].map((half) => Number.parseInt(half, 16));
  return `\\x{${(String.fromCharCode(...halves).codePointAt(0) ?? 0).toString(16)}}`;
}
