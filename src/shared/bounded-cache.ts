/** How much a cache keeps. */
export interface CacheBounds {
  readonly entries: number;
  /** The weights of all entries together. Default: no bound. */
  readonly weight?: number;
}

/** A map that forgets what was not used for longest. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #bounds: Required<CacheBounds>;
  #weight = 0;

  constructor({ entries, weight = Number.POSITIVE_INFINITY }: CacheBounds) {
    this.#bounds = { entries, weight };
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A map keeps the order of insertion, so this makes it the last to be forgotten
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#isWithinBounds() || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #isWithinBounds(): boolean {
    return this.#entries.size <= this.#bounds.entries && this.#weight <= this.#bounds.weight;
  }
}
