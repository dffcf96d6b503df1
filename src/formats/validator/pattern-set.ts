import { RE2JS } from 're2js';
import { InvalidSchemaError, UnsafePatternError } from '../../schema/schema-errors.ts';
import { AutomatonMemory } from '../../schema/automaton-memory.ts';
import type { Meter } from '../../schema/meter.ts';
import { translatePattern } from '../../schema/translate-pattern.ts';

/** What ajv takes for a regular expression. */
export interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

// Time and memory grow with these, and with nothing else that a schema can say.
const MOST_CHARACTERS = 100_000;
const MOST_INSTRUCTIONS = 100_000;
const MOST_PATTERNS = 2000;

/** The regular expressions of one schema. */
export class PatternSet {
  readonly #patterns = new Map<string, Pattern>();
  readonly #isTrusted: boolean;
  readonly #meter: Meter;
  readonly #memory = new AutomatonMemory();
  #characters = 0;
  #instructions = 0;

  constructor(isTrusted: boolean, meter: Meter) {
    this.#isTrusted = isTrusted;
    this.#meter = meter;
  }

  /**
   * Compiles a regular expression that stands at `path`.
   * @throws InvalidSchemaError when it is none, UnsafePatternError when it cannot run in linear time
   */
  add(source: string, path: string): void {
    if (this.#patterns.has(source)) return;
    this.#characters += source.length;
    if (this.#characters > MOST_CHARACTERS || this.#patterns.size >= MOST_PATTERNS) throw this.#tooMuch(path);
    const native = nativePattern(source, path);
    this.#patterns.set(source, this.#isTrusted ? this.#trusted(native) : this.#linear(source, path));
  }

  /** The compiled form of what was added. */
  get(source: string): Pattern {
    const pattern = this.#patterns.get(source);
    if (pattern === undefined) throw new InvalidSchemaError({ path: '', what: 'has an unknown pattern.' });
    return pattern;
  }

  #trusted(native: RegExp): Pattern {
    return this.#metered((text) => native.test(text), 1);
  }

  #linear(source: string, path: string): Pattern {
    const translated = translatePattern(source);
    if (translated === undefined) throw unsupported(source, path);
    const compiled = compileLinear(translated, source, path);
    const size = compiled.programSize();
    this.#instructions += size;
    if (this.#instructions > MOST_INSTRUCTIONS) throw this.#tooMuch(path);
    return this.#metered((text) => this.#memory.test(compiled, text), size);
  }

  #metered(test: (text: string) => boolean, size: number): Pattern {
    // ajv keeps patterns by this name: two of the same name would be one pattern.
    const name = `pattern ${String(this.#patterns.size)}`;
    const meter = this.#meter;
    return {
      test: (text) => {
        meter.take(STEPS_PER_TEST + Math.ceil((text.length * size) / INSTRUCTIONS_PER_STEP));
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

// As `u` first, like ajv; much that people write, such as \-, is only valid without.
function nativePattern(source: string, path: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return legacyPattern(source, path);
  }
}

function legacyPattern(source: string, path: string): RegExp {
  try {
    return new RegExp(source);
  } catch (cause) {
    throw new InvalidSchemaError({ path, what: `is no regular expression: ${shorten(source)}.`, cause });
  }
}

function compileLinear(translated: string, source: string, path: string): RE2JS {
  try {
    return RE2JS.compile(translated);
  } catch (cause) {
    throw unsupported(source, path, cause);
  }
}

function unsupported(source: string, path: string, cause?: unknown): UnsafePatternError {
  return new UnsafePatternError({
    path,
    what: `is a pattern that cannot run in linear time: ${shorten(source)}.`,
    cause,
  });
}

const SHOWN = 120;

function shorten(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}
