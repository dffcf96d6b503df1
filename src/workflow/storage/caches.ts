import { LRUCache } from 'lru-cache';
import type { Clock } from '../application/ports/environment.ts';

interface Entry<Value> {
  readonly value: Value;
  readonly since: number;
  readonly ttl: number;
}

interface ExpiringMapOptions {
  readonly clock: Clock;
  /** The most entries; what was not used for the longest time goes first. */
  readonly maximum: number;
}

/** Values that count for a while. */
export class ExpiringMap<Value> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #options: ExpiringMapOptions;

  constructor(options: ExpiringMapOptions) {
    this.#options = options;
    // Counted by size: for a `max`, which may be Infinity here, it would make room at once
    const maxSize = Math.min(Math.max(1, options.maximum), Number.MAX_SAFE_INTEGER);
    this.#entries = new LRUCache({ maxSize, sizeCalculation: () => 1 });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isFresh(entry)) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param ttl it counts while its age is less */
  set(key: string, value: Value, ttl: number): void {
    const { clock, maximum } = this.#options;
    if (maximum > 0) this.#entries.set(key, { value, since: clock(), ttl });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** A clock that was set back must not make an entry live longer. */
  #isFresh({ since, ttl }: Entry<Value>): boolean {
    const age = this.#options.clock() - since;
    return age >= 0 && age < ttl;
  }
}

/** Lets callers at the same time share one load. */
export class SharedLoad<Value> {
  #running: { readonly result: Promise<Value> } | undefined;

  /** @param load is told, by a function, whether its result may still be kept */
  run(load: (isCurrent: () => boolean) => Promise<Value>): Promise<Value> {
    if (this.#running !== undefined) return this.#running.result;
    const isCurrent = (): boolean => this.#running === own;
    const result = load(() => isCurrent()).finally(() => {
      if (isCurrent()) this.#running = undefined;
    });
    const own = { result };
    this.#running = own;
    return result;
  }

  /** Later callers do not share the load that is under way. */
  abandon(): void {
    this.#running = undefined;
  }
}
