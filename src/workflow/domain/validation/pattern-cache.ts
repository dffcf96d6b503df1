import { compilePattern, type LinearPattern } from './compile-pattern.ts';

const MOST_PATTERNS = 500;

/** Compiles regular expressions, and keeps those that were used last. */
export class PatternCache {
  readonly #patterns = new Map<string, LinearPattern>();

  /** @throws UnsupportedPatternError */
  compile(source: string, flags: string): LinearPattern {
    const key = `${flags}/${source}`;
    const pattern = this.#patterns.get(key) ?? compilePattern(source, flags);
    // A map keeps the order of insertion, so this makes it the last to be forgotten
    this.#patterns.delete(key);
    this.#patterns.set(key, pattern);
    if (this.#patterns.size > MOST_PATTERNS) this.#forgetOldest();
    return pattern;
  }

  #forgetOldest(): void {
    for (const oldest of this.#patterns.keys()) {
      this.#patterns.delete(oldest);
      return;
    }
  }
}
