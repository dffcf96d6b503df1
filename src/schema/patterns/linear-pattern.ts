import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { UnsupportedPatternError } from './translate-pattern.ts';

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
