import type { Clock } from '../application/ports/clock.ts';

interface Entry<Value> {
  readonly value: Value;
  readonly since: number;
  readonly ttlMs: number;
}

export interface ExpiringMapOptions {
  readonly clock: Clock;
  /** The most entries; what was not used for the longest time goes first. */
  readonly maximum: number;
}

/** Values that count for a while. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #options: ExpiringMapOptions;

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (!this.#isFresh(entry)) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** @param ttlMs it counts while its age is less */
  set(key: string, value: Value, ttlMs: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, since: this.#options.clock(), ttlMs });
    if (this.#entries.size <= this.#options.maximum) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** A clock that was set back must not make an entry live longer. */
  #isFresh({ since, ttlMs }: Entry<Value>): boolean {
    const age = this.#options.clock() - since;
    return age >= 0 && age < ttlMs;
  }
}
