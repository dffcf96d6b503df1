import { compilePattern, type LinearPattern } from './compile-pattern.ts';

/** How much is kept. */
interface CacheBounds {
  readonly patterns: number;
  /** Of all patterns together; each takes some hundred bytes. */
  readonly instructions: number;
}

const BOUNDS: CacheBounds = { patterns: 500, instructions: 100_000 };

/** Compiles regular expressions, and keeps those that were used last. */
export class PatternCache {
  readonly #patterns = new Map<string, LinearPattern>();
  #instructions = 0;

  /** @throws UnsupportedPatternError */
  compile(source: string, flags: string): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#patterns.get(key);
    const pattern = known ?? compilePattern(source, flags);
    if (known !== undefined) this.#forget(key, known);
    // A map keeps the order of insertion, so this makes it the last to be forgotten
    this.#patterns.set(key, pattern);
    this.#instructions += pattern.size;
    this.#forgetOldest();
    return pattern;
  }

  #forgetOldest(): void {
    for (const [oldest, pattern] of this.#patterns) {
      if (this.#patterns.size <= BOUNDS.patterns && this.#instructions <= BOUNDS.instructions) return;
      this.#forget(oldest, pattern);
    }
  }

  #forget(key: string, { size }: LinearPattern): void {
    this.#patterns.delete(key);
    this.#instructions -= size;
  }
}
