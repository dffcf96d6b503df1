import {
  AutomatonMemory,
  compileLinear,
  readPattern,
  type LinearPattern,
} from '../patterns/linear-pattern.ts';
import { translatePattern, UnsupportedPatternError } from '../patterns/translate-pattern.ts';
import { InvalidSchemaError, UnsafePatternError } from '../schema-errors.ts';
import type { Pattern } from './ajv.ts';
import type { StepBudget } from './steps.ts';

// The time and memory of patterns depend on these and on nothing else in a schema.
const MOST_CHARACTERS = 100_000;
const MOST_INSTRUCTIONS = 100_000;
const MOST_PATTERNS = 2000;

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
    if (this.#characters > MOST_CHARACTERS || this.#patterns.size >= MOST_PATTERNS) throw this.#tooMuch(path);
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
    if (this.#instructions > MOST_INSTRUCTIONS) throw this.#tooMuch(path);
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
    return new UnsafePatternError({ path, what: 'has a pattern too many: all together are too large.' });
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
