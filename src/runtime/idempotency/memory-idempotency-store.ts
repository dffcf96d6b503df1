import { Buffer } from 'node:buffer';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { positiveNumber, type OptionRules } from '../../shared/option-rules.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../shared/owners/owner-shares.ts';
import type { IdempotencyEntry, IdempotencyStore, IdempotencyUpdate } from './idempotency-store.ts';

/** How much an `InMemoryIdempotencyStore` keeps. */
export interface InMemoryIdempotencyStoreOptions {
  /**
   * The estimated memory of all entries: per entry its key and text in UTF-8, and 256 bytes. Above it, new calls are
   * refused; what runs may still keep its result. Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** The same of one person; all who are not known are one. Default: half of `maxBytes`. */
  readonly maxBytesPerOwner?: number;
}

const RULES: OptionRules<InMemoryIdempotencyStoreOptions> = {
  maxBytes: positiveNumber,
  maxBytesPerOwner: positiveNumber,
};

interface Entry {
  readonly owner: Owner;
  readonly value: string;
  readonly fence: number;
  readonly size: number;
  /** When its lease is over. */
  readonly held: number;
  /** When it is forgotten. */
  readonly until: number;
}

/** What an entry takes beside its texts: its objects, and its places in collections. */
const OVERHEAD = 256;
/** Milliseconds between two looks at all entries for those that are expired. */
const SWEEP_INTERVAL = 1000;

/**
 * The {@link IdempotencyStore} of one process; with the process, it forgets which calls have run. It refuses new calls
 * rather than forget one.
 */
export class InMemoryIdempotencyStore implements IdempotencyStore {
  readonly #entries = new Map<string, Entry>();
  /** Of the bytes. Nothing is offered: nothing may be forgotten. */
  readonly #shares = new OwnerShares<Entry>();
  readonly #bounds: { readonly total: number; readonly perOwner: number };
  readonly #now: () => number;
  /** From the clock on, so that it also grows from process to process. */
  #fence = Date.now();
  #sweptAt = -Infinity;

  /**
   * @param now a monotonic clock, in milliseconds
   * @throws ToolwrightError TW_APPLICATION_OPTION
   */
  constructor(options: InMemoryIdempotencyStoreOptions = {}, now = (): number => performance.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new InMemoryIdempotencyStore()', options, RULES);
    const { maxBytes = 64 * 1024 * 1024 } = options;
    this.#bounds = { total: maxBytes, perOwner: options.maxBytesPerOwner ?? maxBytes / 2 };
    this.#now = now;
  }

  async get(key: string): Promise<IdempotencyEntry | undefined> {
    const entry = this.#find(key);
    if (entry === undefined) return undefined;
    const { value, fence, held } = entry;
    return { value, fence, leaseLeft: Math.max(0, held - this.#now()) };
  }

  async claim(
    key: string,
    expected: number | undefined,
    update: IdempotencyUpdate,
    owner?: string,
  ): Promise<number | undefined> {
    const present = this.#find(key);
    if (present?.fence !== expected) return undefined;
    if (present === undefined && !this.#hasRoom(owner, sizeOf(key, update))) throw this.#isFull();
    this.#fence += 1;
    this.#put(key, present?.owner ?? owner, this.#fence, update);
    return this.#fence;
  }

  async replace(key: string, fence: number, update: IdempotencyUpdate): Promise<boolean> {
    const present = this.#find(key);
    if (present?.fence !== fence) return false;
    const isLate = present.held <= this.#now();
    if (isLate && update.lease > 0) return false;
    if (isLate) this.#fence += 1;
    this.#put(key, present.owner, isLate ? this.#fence : fence, update);
    return true;
  }

  async forget(owner: string): Promise<number> {
    const owned = [...this.#entries].filter(([key]) => isOwnedBy(key, owner));
    for (const [key] of owned) this.#delete(key);
    return owned.filter(([, { until }]) => until > this.#now()).length;
  }

  #put(key: string, owner: Owner, fence: number, update: IdempotencyUpdate): void {
    this.#delete(key);
    const { value, lease, lifetime } = update;
    if (lifetime <= 0) return;
    const now = this.#now();
    const size = sizeOf(key, update);
    this.#entries.set(key, { owner, value, fence, size, held: now + lease, until: now + lifetime });
    this.#shares.add(owner, size);
  }

  #find(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#now()) return entry;
    this.#delete(key);
    return undefined;
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#shares.remove(entry.owner, entry.size);
  }

  #hasRoom(owner: Owner, size: number): boolean {
    if (!this.#isAbove(owner, size)) return true;
    this.#sweep();
    return !this.#isAbove(owner, size);
  }

  #isAbove(owner: Owner, size: number): boolean {
    const { total, perOwner } = this.#bounds;
    return this.#shares.total + size > total || this.#shares.of(owner) + size > perOwner;
  }

  /** Skipped shortly after the last time: repeated refusals must not scan the whole store each time. */
  #sweep(): void {
    const now = this.#now();
    if (now - this.#sweptAt < SWEEP_INTERVAL) return;
    this.#sweptAt = now;
    for (const [key, { until }] of this.#entries) if (until <= now) this.#delete(key);
  }

  #isFull(): ToolwrightError {
    const { total, perOwner } = this.#bounds;
    return new ToolwrightError('TW_IDEMPOTENCY_STORE_FULL', {
      where: 'InMemoryIdempotencyStore',
      what: `has no room in its ${String(total)} bytes, or in the ${String(perOwner)} of one caller, and nothing is expired.`,
      why: 'if it forgets a call too early, the call can run twice.',
      fix: 'give the application a store outside of the process (`idempotency: { store }`), or its actions a shorter `ttl`',
    });
  }
}

function sizeOf(key: string, { value }: IdempotencyUpdate): number {
  return OVERHEAD + Buffer.byteLength(key) + Buffer.byteLength(value);
}
