import type { RE2JS } from 're2js';
import { loadLazily } from '../../shared/platform.ts';
import { UnsupportedPatternError, translatePattern } from './translate-pattern.ts';
import { longestSafe, LONGEST_TEXT } from './backtracking.ts';
import { InvalidSchemaError, UnsafePatternError } from '../schema-errors.ts';
import type { Pattern } from '../validator/ajv.ts';
import type { StepBudget } from '../validator/steps.ts';

/** A regular expression that takes time in proportion to the text. */
export interface LinearPattern {
  /** True where it matches anywhere in the text. */
  readonly test: (text: string) => boolean;
  /** The maximum number of instructions for each character. */
  readonly size: number;
}

/**
 * Compiles the output of `translatePattern`.
 * @param flags `i`, `m` (for which lines end with `\n` alone) and `s`; `u` is always on
 * @param memory the memory limit that the pattern shares with other patterns of its owner
 * @throws UnsupportedPatternError
 */
export function compileLinear(
  translated: string,
  flags = '',
  memory: AutomatonMemory = new AutomatonMemory(),
): LinearPattern {
  // oxlint-disable-next-line typescript/no-require-imports -- bundlers look for it
  engine ??= loadLazily<{ readonly RE2JS: typeof RE2JS }>('re2js', () => require('re2js')).RE2JS;
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
 * Reads a regular expression as validators do: with `u`, or without it if it is only valid so, as with `\-`.
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

// Sensible patterns need some thousand bytes each, a bad one as much as the engine allows: eight million.
const MAX_BYTES = 65_536;

/**
 * Bounds the memory that engines keep while they live: the states of their automata. Engines create states from the
 * texts that they read, and can create them again. The patterns of one owner share one limit.
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
    if (this.#bytes <= MAX_BYTES) return;
    for (const grown of this.#engines) automatonOf(grown)?.clearCache();
    this.#engines.clear();
    this.#bytes = 0;
  }
}

/** Despite its type, the automaton does not exist until it is needed. */
function automatonOf(engine: RE2JS): Automaton | null {
  return engine.re2().lazyDFA;
}

function bytesOf(engine: RE2JS): number {
  const automaton = automatonOf(engine);
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget;
}

/** A regular expression of an author, for untrusted texts. */
export interface BoundedPattern {
  readonly test: (text: string) => boolean;
  /** False if only the backtracking engine supports it, and a text may make it run for a long time. */
  readonly isBounded: boolean;
}

/**
 * Runs a regular expression on V8 for texts so short that backtracking cannot take long, and on RE2 for longer ones.
 * Expressions that RE2 does not support (look-around, back-references, most flags) always run on V8.
 */
export function boundPattern(expression: RegExp, longestText = LONGEST_TEXT): BoundedPattern {
  const longest = longestSafe(expression);
  const native = (text: string): boolean => expression.test(text);
  if (longest >= longestText) return { test: native, isBounded: true };
  const linear = linearTest(expression);
  if (linear === undefined) return { test: native, isBounded: false };
  return { test: (text) => (text.length <= longest ? native(text) : linear(text)), isBounded: true };
}

/** The same test on RE2, in linear time; undefined for what RE2 does not support or reads differently. */
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

/** The range into which {@link apart} moves characters; expressions that name one of these are not changed. */
const TAKEN = /[\ud800-\ue8ff]|\\u\{?0*[dDeE]/;
/** Surrogate halves, which RE2 reads as pairs, and the two characters that it equates with `s` and `k` under `i`. */
const OTHERWISE_READ = /[\ud800-\udfff\u017f\u212a]/g;

/** Moves a character into a range without letters, digits or spaces, which no expression names. */
function apart(character: string): string {
  if (character === '\u017f') return '\ue800';
  return character === '\u212a' ? '\ue801' : String.fromCharCode(character.charCodeAt(0) + 0x800);
}

/** Beyond ASCII, `i` folds other pairs of letters than RE2 does. */
function isFolded(source: string, flags: string): boolean {
  return flags.includes('i') && !/^(?:[\x00-\x7f](?<!\\[ux]))*$/.test(source);
}

// The time and memory of patterns depend on these and on nothing else in a schema.
const MAX_CHARACTERS = 100_000;
const MAX_INSTRUCTIONS = 100_000;
const MAX_PATTERNS = 2000;

/** The regular expressions of one schema. */
export class PatternSet {
  readonly #patterns = new Map<string, Pattern>();
  readonly #isTrusted: boolean;
  readonly #budget: StepBudget;
  readonly #memory = new AutomatonMemory();
  #characters = 0;
  #instructions = 0;

  constructor(isTrusted: boolean, budget: StepBudget) {
    this.#isTrusted = isTrusted;
    this.#budget = budget;
  }

  /**
   * Compiles the regular expression at `path`.
   * @throws InvalidSchemaError when it is not valid, UnsafePatternError when it cannot run in linear time
   */
  add(source: string, path: string): void {
    if (this.#patterns.has(source)) return;
    this.#characters += source.length;
    if (this.#characters > MAX_CHARACTERS || this.#patterns.size >= MAX_PATTERNS) throw this.#tooMuch(path);
    const native = nativePattern(source, path);
    this.#patterns.set(source, this.#isTrusted ? this.#trusted(native) : this.#linear(source, path));
  }

  /** The compiled form of an added pattern. */
  get(source: string): Pattern {
    const pattern = this.#patterns.get(source);
    if (pattern === undefined) throw new InvalidSchemaError({ path: '', what: 'has an unknown pattern.' });
    return pattern;
  }

  #trusted(native: RegExp): Pattern {
    return this.#metered((text) => native.test(text), 1);
  }

  #linear(source: string, path: string): Pattern {
    const { test, size } = this.#compile(source, path);
    this.#instructions += size;
    if (this.#instructions > MAX_INSTRUCTIONS) throw this.#tooMuch(path);
    return this.#metered(test, size);
  }

  #compile(source: string, path: string): LinearPattern {
    try {
      return compileLinear(translatePattern(source), '', this.#memory);
    } catch (cause) {
      if (!(cause instanceof UnsupportedPatternError)) throw cause;
      const what = `is a pattern that cannot run in linear time: ${shorten(source)}.`;
      throw new UnsafePatternError({ path, what, cause });
    }
  }

  #metered(test: (text: string) => boolean, size: number): Pattern {
    // ajv keeps patterns by this name: two of the same name would be one pattern.
    const name = `pattern ${String(this.#patterns.size)}`;
    const budget = this.#budget;
    return {
      test: (text) => {
        budget.take(STEPS_PER_TEST + Math.ceil((text.length * size) / INSTRUCTIONS_PER_STEP));
        return test(text);
      },
      toString: () => name,
    };
  }

  #tooMuch(path: string): UnsafePatternError {
    return new UnsafePatternError({ path, what: 'has too many patterns: together they are too large.' });
  }
}

const STEPS_PER_TEST = 8;
/** Instructions, each on one character, that take as long as one step. */
const INSTRUCTIONS_PER_STEP = 100;

function nativePattern(source: string, path: string): RegExp {
  try {
    return readPattern(source);
  } catch (cause) {
    throw new InvalidSchemaError({ path, what: `is not a regular expression: ${shorten(source)}.`, cause });
  }
}

const SHOWN = 120;

function shorten(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
