import { RE2JS } from 're2js';
import { adaptPattern } from './adapt-pattern.ts';
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

/** `u` is always on: the engine knows nothing but whole characters. */
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  u: 0,
};

/** @throws UnsupportedPatternError for everything that is no regular expression, or none that runs in linear time */
export function compilePattern(source: string, flags: string): LinearPattern {
  const compiled = compile(source, flags);
  const size = compiled.programSize();
  if (size > MOST_INSTRUCTIONS) {
    throw new UnsupportedPatternError(
      `is too large: it takes ${size} instructions, of ${MOST_INSTRUCTIONS} at most; use smaller repeat counts`,
    );
  }
  return Object.freeze({ size, test: (text: string) => compiled.test(text) });
}

function compile(source: string, flags: string): RE2JS {
  const bits = Array.from(flags).reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), 0);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(adaptPattern(source, flags)), bits);
  } catch (cause) {
    if (cause instanceof UnsupportedPatternError) throw cause;
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
