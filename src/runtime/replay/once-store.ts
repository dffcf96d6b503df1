import { Buffer } from 'node:buffer';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { positiveNumber, type OptionRules } from '../../shared/option-rules.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../shared/owners/owner-shares.ts';
import { withoutOutcome, type OnceStore } from './answer-once.ts';

/** How much an `InMemoryOnceStore` keeps. */
export interface InMemoryOnceStoreOptions {
  /** The most values at a time. Default: as many as have room. */
  readonly maxEntries?: number;
  /**
   * The estimated memory of all values: per value its key and text in UTF-8, and 256 bytes. Above it, the owner with the
   * most loses its oldest results; that the questions were answered stays known. Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** The same of one person; all who are not known are one. Default: half of `maxBytes`. */
  readonly maxBytesPerOwner?: number;
}

export const ONCE_STORE_RULES: OptionRules<InMemoryOnceStoreOptions> = {
  maxEntries: positiveNumber,
  maxBytes: positiveNumber,
  maxBytesPerOwner: positiveNumber,
};

interface Entry {
  readonly key: string;
  readonly owner: Owner;
  value: string;
  size: number;
  until: number;
}

/** What a value takes beside its texts: its objects, and its places in collections. */
const OVERHEAD = 256;
/** Milliseconds between two looks at all values for those that are expired. */
const SWEEP_INTERVAL = 1000;

/**
 * The {@link OnceStore} of one process. It forgets results to make room, but refuses a new answer rather than forget
 * one that was given: that could do things twice.
 */
export class InMemoryOnceStore implements OnceStore {
  readonly #entries = new Map<string, Entry>();
  /** Of the bytes; offered are those that have a result to forget. */
  readonly #shares = new OwnerShares<Entry>();
  readonly #maxEntries: number;
  readonly #bounds: { readonly total: number; readonly perOwner: number };
  readonly #now: () => number;
  #sweptAt = -Infinity;

  /**
   * @param now a monotonic clock, in milliseconds
   * @throws ToolwrightError TW_APPLICATION_OPTION
   */
  constructor(options: InMemoryOnceStoreOptions = {}, now = (): number => performance.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new InMemoryOnceStore()', options, ONCE_STORE_RULES);
    const { maxEntries = Infinity, maxBytes = 64 * 1024 * 1024 } = options;
    const { maxBytesPerOwner = maxBytes / 2 } = options;
    this.#maxEntries = maxEntries;
    this.#bounds = { total: maxBytes, perOwner: maxBytesPerOwner };
    this.#now = now;
  }

  async add(key: string, value: string, lifetime: number, owner?: string): Promise<string | undefined> {
    const present = this.#find(key);
    if (present !== undefined) return present.value;
    const size = sizeOf(key, value);
    if (this.#entries.size >= this.#maxEntries) this.#sweep();
    if (this.#entries.size >= this.#maxEntries || !this.#makeRoom(owner, size)) throw this.#isFull();
    this.#entries.set(key, { key, owner, value, size, until: this.#now() + lifetime });
    this.#shares.add(owner, size);
    return undefined;
  }

  async replace(key: string, current: string, next: string, lifetime: number): Promise<boolean> {
    const entry = this.#find(key);
    if (entry?.value !== current) return false;
    entry.until = this.#now() + lifetime;
    this.#put(entry, next);
    this.#makeRoom(entry.owner, 0);
    return true;
  }

  async forget(owner: string): Promise<number> {
    const owned = [...this.#entries.values()].filter(({ key }) => isOwnedBy(key, owner));
    for (const entry of owned) this.#delete(entry);
    return owned.filter(({ until }) => until > this.#now()).length;
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#now()) return entry;
    this.#delete(entry);
    return undefined;
  }

  #put(entry: Entry, value: string): void {
    const size = sizeOf(entry.key, value);
    this.#shares.add(entry.owner, size - entry.size);
    entry.value = value;
    entry.size = size;
    this.#shares.offer(entry.owner, entry);
  }

  #delete(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#shares.withdraw(entry.owner, entry);
    this.#shares.remove(entry.owner, entry.size);
  }

  /** What is expired goes before any result that somebody may still ask for. */
  #makeRoom(owner: Owner, size: number): boolean {
    const { total, perOwner } = this.#bounds;
    if (this.#shares.total + size > total || this.#shares.of(owner) + size > perOwner) this.#sweep();
    return this.#shares.makeRoom(owner, size, this.#bounds, (entry) => {
      this.#put(entry, withoutOutcome(entry.value) ?? entry.value);
      this.#shares.withdraw(entry.owner, entry);
    });
  }

  /** Skipped shortly after the last time: repeated refusals must not scan the whole store each time. */
  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < SWEEP_INTERVAL) return;
    this.#sweptAt = now;
    for (const entry of this.#entries.values()) if (entry.until <= now) this.#delete(entry);
  }

  #isFull(): ToolwrightError {
    const { total, perOwner } = this.#bounds;
    return new ToolwrightError('TW_ONCE_STORE_FULL', {
      where: 'InMemoryOnceStore',
      what: `has no room in its ${String(total)} bytes, or in the ${String(perOwner)} of one caller, and nothing is expired.`,
      why: 'if a value is forgotten too early, the same questions can be answered twice.',
      fix: 'give the application an `onceStore` outside of the process, or a shorter `questionTtl`',
    });
  }
}

function sizeOf(key: string, value: string): number {
  return OVERHEAD + Buffer.byteLength(key) + Buffer.byteLength(value);
}
