import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { UnsupportedPatternError, translatePattern } from './translate-pattern.ts';
import { longestSafe, LONGEST_TEXT } from './backtracking.ts';

/** A regular expression that takes time in proportion to the text. */
export interface LinearPattern {
  /** True where it matches anywhere in the text. */
  readonly test: (text: string) => boolean;
  /** The instructions that each character may cost. */
  readonly size: number;
}

/**
 * Compiles what `translatePattern` has written.
 * @param flags `i`, `m` (for which lines end with `\n` alone) and `s`; `u` is always on
 * @param memory what the pattern shares with other patterns of its owner
 * @throws UnsupportedPatternError
 */
export function compileLinear(
  translated: string,
  flags = '',
  memory: AutomatonMemory = new AutomatonMemory(),
): LinearPattern {
  engine ??= (createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }).RE2JS;
  const { CASE_INSENSITIVE, MULTILINE, DOTALL } = engine;
  const bits = new Map([
    ['i', CASE_INSENSITIVE],
    ['m', MULTILINE],
    ['s', DOTALL],
  ]);
  let compiled: RE2JS;
  try {
    compiled = engine.compile(
      translated,
      Array.from(flags).reduce((sum, flag) => sum | (bits.get(flag) ?? 0), 0),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnsupportedPatternError(`cannot be compiled: ${reason}`, cause);
  }
  return Object.freeze({
    test: (text: string) => memory.test(compiled, text),
    size: compiled.programSize(),
  });
}

/** Loaded when the first pattern needs it: most applications have none. */
let engine: typeof RE2JS | undefined;

/**
 * Reads a regular expression as validators do: with `u`, or without where it is valid only so, as with `\-`.
 * @throws SyntaxError
 */
export function readPattern(source: string, flags = ''): RegExp {
  const others = flags.replaceAll('u', '');
  try {
    return new RegExp(source, `${others}u`);
  } catch {
    return new RegExp(source, others);
  }
}

type Automaton = ReturnType<RE2JS['re2']>['lazyDFA'];

// Sensible patterns need some thousand bytes each, a bad one all that the engine allows it: eight million.
const MOST_BYTES = 65_536;

/**
 * Bounds what engines keep for as long as they live: the states of their automata, which they make of the texts that
 * they read and make again where they need them. What patterns of one owner keep is counted together.
 */
export class AutomatonMemory {
  readonly #engines = new Set<RE2JS>();
  #bytes = 0;

  /** Whether the engine finds its pattern in a text. */
  test(engine: RE2JS, text: string): boolean {
    const before = bytesOf(engine);
    const isFound = engine.test(text);
    const grown = bytesOf(engine) - before;
    if (grown !== 0) this.#grow(engine, grown);
    return isFound;
  }

  #grow(engine: RE2JS, bytes: number): void {
    this.#engines.add(engine);
    this.#bytes += bytes;
    if (this.#bytes <= MOST_BYTES) return;
    for (const grown of this.#engines) automatonOf(grown)?.clearCache();
    this.#engines.clear();
    this.#bytes = 0;
  }
}

/** Whatever its type says, there is none until it is needed. */
function automatonOf(engine: RE2JS): Automaton | null {
  return engine.re2().lazyDFA;
}

function bytesOf(engine: RE2JS): number {
  const automaton = automatonOf(engine);
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget;
}

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
