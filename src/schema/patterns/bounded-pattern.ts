import { longestSafe, LONGEST_TEXT } from './backtracking.ts';
import { compileLinear } from './linear-pattern.ts';
import { translatePattern, UnsupportedPatternError } from './translate-pattern.ts';

/** A regular expression of an author, for texts of strangers. */
export interface BoundedPattern {
  readonly test: (text: string) => boolean;
  /** False where nothing but the backtracking engine can read it, and a text may hold that up for long. */
  readonly isBounded: boolean;
}

/**
 * Runs a regular expression on V8 for texts so short that backtracking cannot take long, whatever they hold, and on
 * RE2 for longer ones. What RE2 cannot read (look-around, back-references, most flags) stays on V8.
 */
export function boundPattern(expression: RegExp, longestText = LONGEST_TEXT): BoundedPattern {
  const longest = longestSafe(expression);
  const native = (text: string): boolean => expression.test(text);
  if (longest >= longestText) return { test: native, isBounded: true };
  const linear = linearTest(expression);
  if (linear === undefined) return { test: native, isBounded: false };
  return { test: (text) => (text.length <= longest ? native(text) : linear(text)), isBounded: true };
}

/** The same on RE2, which takes time in proportion to the text; undefined for what it cannot read, or reads otherwise. */
export function linearTest({ source, flags }: RegExp): ((text: string) => boolean) | undefined {
  if (!/^(?:d?i?|d?u)$/.test(flags) || TAKEN.test(source) || isFolded(source, flags)) return undefined;
  // without `u`, `\u{4}` and `\p{L}` mean repeated letters
  if (!flags.includes('u') && /\\(?:u\{|[pP])/.test(source)) return undefined;
  const test = testOnRe2(source, flags);
  if (test === undefined || flags.includes('u')) return test;
  return (text) => test(text.replace(OTHERWISE_READ, apart));
}

function testOnRe2(source: string, flags: string): ((text: string) => boolean) | undefined {
  try {
    return compileLinear(translatePattern(source), flags).test;
  } catch (cause) {
    if (cause instanceof UnsupportedPatternError) return undefined;
    throw cause;
  }
}

/** Where {@link apart} puts characters: an expression that names one of these is left alone. */
const TAKEN = /[\ud800-\ue8ff]|\\u\{?0*[dDeE]/;
/** Halves of pairs, which RE2 reads together, and the two that it takes for `s` and `k` where case does not count. */
const OTHERWISE_READ = /[\ud800-\udfff\u017f\u212a]/g;

/** To where nothing is a letter, a digit or a space, and no expression looks. */
function apart(character: string): string {
  if (character === '\u017f') return '\ue800';
  return character === '\u212a' ? '\ue801' : String.fromCharCode(character.charCodeAt(0) + 0x800);
}

/** Beyond ASCII, `i` knows other pairs of letters than RE2. */
function isFolded(source: string, flags: string): boolean {
  return flags.includes('i') && !/^(?:[\x00-\x7f](?<!\\[ux]))*$/.test(source);
}
