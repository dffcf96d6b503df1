import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { OnceStore } from './once-store.ts';

export interface MemoryOnceStoreOptions {
  /** The most values at a time. Default 10,000. */
  readonly maximum?: number;
}

interface Entry {
  readonly value: string;
  readonly until: number;
}

/** The {@link OnceStore} of one process. It refuses what it has no room for: forgetting could do things twice. */
export class MemoryOnceStore implements OnceStore {
  readonly #entries = new Map<string, Entry>();
  readonly #maximum: number;

  constructor({ maximum = 10_000 }: MemoryOnceStoreOptions = {}) {
    this.#maximum = maximum;
  }

  async add(key: string, value: string, lifetime: number): Promise<string | undefined> {
    const present = this.#find(key);
    if (present !== undefined) return present;
    this.#removeExpired();
    if (this.#entries.size >= this.#maximum) throw this.#isFull();
    this.#entries.set(key, { value, until: Date.now() + lifetime });
    return undefined;
  }

  replace(key: string, current: string, next: string, lifetime: number): Promise<boolean> {
    const isCurrent = this.#find(key) === current;
    if (isCurrent) this.#entries.set(key, { value: next, until: Date.now() + lifetime });
    return Promise.resolve(isCurrent);
  }

  #find(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > Date.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** The oldest ones, as long as they are expired; all of them when there is no room left. */
  #removeExpired(): void {
    const now = Date.now();
    for (const [key, { until }] of this.#entries) {
      if (until <= now) this.#entries.delete(key);
      else if (this.#entries.size < this.#maximum) return;
    }
  }

  #isFull(): ToolwrightError {
    return new ToolwrightError('TW_ONCE_STORE_FULL', {
      where: 'MemoryOnceStore',
      what: `has its ${String(this.#maximum)} values, and none of them is expired.`,
      why: 'a value that is forgotten too early would let somebody answer the same questions twice.',
      fix: 'give the application an `onceStore` outside of the process, or a shorter `questionLifetime`',
    });
  }
}
