import { RE2JS } from 're2js';
import { AutomatonMemory } from '../../../schema/patterns/linear-pattern.ts';
import { adaptPattern } from './adapt-pattern.ts';
import { patternCost } from './pattern-cost.ts';
import { UnsupportedPatternError } from './unsupported-pattern-error.ts';

/** A regular expression that takes time in proportion to the text. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** The instructions that every character may cost. */
  readonly size: number;
}

// Twice the largest counted repetition that there can be.
const MOST_INSTRUCTIONS = 5000;
// As measured, for the shortest there is.
const INSTRUCTIONS_PER_PATTERN = 20;
// An estimate is above the truth, though not by so much.
const MOST_ESTIMATED = 4 * MOST_INSTRUCTIONS;

/** `u` is always on: the engine knows nothing but whole characters. */
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};

/** @throws UnsupportedPatternError for everything that is no regular expression, or none that runs in linear time */
export function compilePattern(source: string, flags: string): LinearPattern {
  const { translated } = read(source, flags);
  const compiled = compile(translated, flags);
  const size = compiled.programSize();
  if (size > MOST_INSTRUCTIONS) throw tooLarge(`${size}`);
  const memory = new AutomatonMemory();
  return Object.freeze({ size, test: (text: string) => memory.test(compiled, text) });
}

/**
 * What it costs at most to compile a regular expression, in instructions.
 * @throws UnsupportedPatternError when nobody can pay it
 */
export function costOfPattern(source: string, flags: string): number {
  return INSTRUCTIONS_PER_PATTERN + read(source, flags).cost;
}

function read(source: string, flags: string): { readonly translated: string; readonly cost: number } {
  const translated = RE2JS.translateRegExp(adaptPattern(source, flags));
  const cost = patternCost(translated, flags.includes('i'));
  // The engine would make all of the instructions before it counts them
  if (cost > MOST_ESTIMATED) throw tooLarge(`up to ${Math.round(cost)}`);
  return { translated, cost };
}

function tooLarge(size: string): UnsupportedPatternError {
  return new UnsupportedPatternError(
    `is too large: it takes ${size} instructions, of ${MOST_INSTRUCTIONS} at most; use smaller repeat counts`,
  );
}

function compile(translated: string, flags: string): RE2JS {
  const bits = Array.from(flags).reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
  try {
    return RE2JS.compile(translated, bits);
  } catch (cause) {
    throw new UnsupportedPatternError(reasonOf(cause), cause);
  }
}

/** The engine quotes what it does not know. */
function reasonOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/`\(\?<?[=!]/.test(message)) return 'uses look-around, which cannot run in linear time';
  if (/`\\[1-9]/.test(message)) return 'uses a back-reference, which cannot run in linear time';
  return `cannot be compiled: ${message}`;
}
