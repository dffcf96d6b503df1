import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { withoutOutcome } from './claim.ts';
import type { OnceStore } from './once-store.ts';

export interface MemoryOnceStoreOptions {
  /** The most values at a time. Default 10,000. */
  readonly maximum?: number;
  /**
   * How many bytes of UTF-8 all values may have. Beyond it the oldest results are forgotten, but not that the
   * questions were answered. Default 64 MiB.
   */
  readonly maximumBytes?: number;
}

interface Entry {
  readonly value: string;
  readonly bytes: number;
  readonly until: number;
}

/**
 * The {@link OnceStore} of one process. It forgets results to make room, but refuses a new answer rather than forget
 * one that was given: that could do things twice.
 */
export class MemoryOnceStore implements OnceStore {
  readonly #entries = new Map<string, Entry>();
  readonly #maximum: number;
  readonly #maximumBytes: number;
  #bytes = 0;

  constructor({ maximum = 10_000, maximumBytes = 64 * 1024 * 1024 }: MemoryOnceStoreOptions = {}) {
    this.#maximum = maximum;
    this.#maximumBytes = maximumBytes;
  }

  async add(key: string, value: string, lifetime: number): Promise<string | undefined> {
    const present = this.#find(key);
    if (present !== undefined) return present;
    this.#removeExpired();
    if (!this.#hasRoom()) throw this.#isFull();
    this.#set(key, value, Date.now() + lifetime);
    return undefined;
  }

  replace(key: string, current: string, next: string, lifetime: number): Promise<boolean> {
    const isCurrent = this.#find(key) === current;
    if (isCurrent) {
      this.#set(key, next, Date.now() + lifetime);
      this.#forgetOutcomes();
    }
    return Promise.resolve(isCurrent);
  }

  #find(key: string): string | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > Date.now()) return entry?.value;
    this.#delete(key);
    return undefined;
  }

  #set(key: string, value: string, until: number): void {
    const bytes = Buffer.byteLength(value);
    this.#bytes += bytes - (this.#entries.get(key)?.bytes ?? 0);
    this.#entries.set(key, { value, bytes, until });
  }

  #delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  #hasRoom(): boolean {
    return this.#entries.size < this.#maximum && this.#bytes <= this.#maximumBytes;
  }

  /** The oldest ones, as long as they are expired; all of them when there is no room left. */
  #removeExpired(): void {
    const now = Date.now();
    for (const [key, { until }] of this.#entries) {
      if (until <= now) this.#delete(key);
      else if (this.#hasRoom()) return;
    }
  }

  /** The oldest first, until the rest fits. */
  #forgetOutcomes(): void {
    if (this.#bytes <= this.#maximumBytes) return;
    for (const [key, { value, until }] of this.#entries) {
      const shorter = withoutOutcome(value);
      if (shorter !== undefined) this.#set(key, shorter, until);
      if (this.#bytes <= this.#maximumBytes) return;
    }
  }

  #isFull(): ToolwrightError {
    return new ToolwrightError('TW_ONCE_STORE_FULL', {
      where: 'MemoryOnceStore',
      what: `has its ${String(this.#maximum)} values or ${String(this.#maximumBytes)} bytes, and none is expired.`,
      why: 'a value that is forgotten too early would let somebody answer the same questions twice.',
      fix: 'give the application an `onceStore` outside of the process, or a shorter `questionLifetime`',
    });
  }
}
