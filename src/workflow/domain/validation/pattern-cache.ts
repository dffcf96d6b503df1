import { BoundedCache } from '../../../shared/bounded-cache.ts';
import { compilePattern, type LinearPattern } from './compile-pattern.ts';

/** The weight is in instructions, each of which takes some hundred bytes. */
const BOUNDS = { entries: 500, weight: 100_000 };

/** Compiles regular expressions, and keeps those that were used last. */
export class PatternCache {
  readonly #patterns = new BoundedCache<LinearPattern>(BOUNDS);

  /** @throws UnsupportedPatternError */
  compile(source: string, flags: string): LinearPattern {
    const key = `${flags}/${source}`;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = compilePattern(source, flags);
    this.#patterns.set(key, pattern, pattern.size);
    return pattern;
  }
}
