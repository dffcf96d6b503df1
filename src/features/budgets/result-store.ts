import { Buffer } from 'node:buffer';
import { refuseOptions } from '../../errors/option-errors.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../shared/owners/owner-shares.ts';
import { positiveNumber, type OptionRules } from '../../shared/option-rules.ts';

/** What is kept of one result. */
export interface ResultEntry {
  /** The result with its owner. With `secrets` it is sealed. */
  readonly value: string;
  /** Milliseconds after which it is forgotten. */
  readonly lifetime: number;
  /** Whose it is; undefined for callers who are not known. */
  readonly owner: string | undefined;
}

/**
 * Keeps results that were too large to be sent, so that they can be read as resources. Instances of a server share one.
 * Keys and values are any text of well-formed Unicode without U+0000. `resultStoreConformance` of `toolwright/testing`
 * checks a store of your own.
 */
export interface ResultStore {
  /** Keeps an entry. The store may forget it earlier to make room. Rejects where it cannot keep it. */
  put(key: string, entry: ResultEntry): Promise<void>;
  /** The value of an entry; undefined where there is none, or its lifetime is over. */
  get(key: string): Promise<string | undefined>;
  /**
   * Removes every entry of an owner: those whose keys begin with its name and a dot. Names have 22 letters, digits, `-` and
   * `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(owner: string): Promise<number>;
}

/** How much an `InMemoryResultStore` keeps. */
export interface InMemoryResultStoreOptions {
  /** Bytes of all results in UTF-8. To make room, the oldest of the owner with the most go first. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Bytes of the results of one owner; callers who are not known are one. Default: half of `maxBytes`. */
  readonly maxBytesPerOwner?: number;
}

const RULES: OptionRules<InMemoryResultStoreOptions> = {
  maxBytes: positiveNumber,
  maxBytesPerOwner: positiveNumber,
};

interface Kept {
  readonly owner: Owner;
  readonly value: string;
  readonly size: number;
  readonly until: number;
}

/** The {@link ResultStore} of one process. */
export class InMemoryResultStore implements ResultStore {
  readonly #entries = new Map<string, Kept>();
  readonly #shares = new OwnerShares<string>();
  readonly #bounds: { readonly total: number; readonly perOwner: number };
  readonly #now: () => number;

  /**
   * Creates an empty store.
   * @param now a monotonic clock, in milliseconds
   * @throws ToolwrightError TW_APPLICATION_OPTION
   */
  constructor(options: InMemoryResultStoreOptions = {}, now = (): number => performance.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new InMemoryResultStore()', options, RULES);
    const { maxBytes = 64 * 1024 * 1024 } = options;
    this.#bounds = { total: maxBytes, perOwner: options.maxBytesPerOwner ?? maxBytes / 2 };
    this.#now = now;
  }

  async put(key: string, { value, lifetime, owner }: ResultEntry): Promise<void> {
    const size = Buffer.byteLength(value);
    // Before anything makes room for it in vain
    if (size > Math.min(this.#bounds.total, this.#bounds.perOwner)) {
      throw new RangeError(`A result of ${String(size)} bytes is too large for the store`);
    }
    const now = this.#now();
    this.#delete(key);
    for (const [old, { until }] of this.#entries) if (until <= now) this.#delete(old);
    this.#shares.makeRoom(owner, size, this.#bounds, (old) => {
      this.#delete(old);
    });
    this.#entries.set(key, { owner, value, size, until: now + lifetime });
    this.#shares.add(owner, size);
    this.#shares.offer(owner, key, -Infinity);
  }

  async get(key: string): Promise<string | undefined> {
    const kept = this.#entries.get(key);
    if (kept === undefined || kept.until > this.#now()) return kept?.value;
    this.#delete(key);
    return undefined;
  }

  async forget(owner: string): Promise<number> {
    const owned = [...this.#entries].filter(([key]) => isOwnedBy(key, owner));
    for (const [key] of owned) this.#delete(key);
    return owned.filter(([, { until }]) => until > this.#now()).length;
  }

  #delete(key: string): void {
    const kept = this.#entries.get(key);
    if (kept === undefined) return;
    this.#entries.delete(key);
    this.#shares.withdraw(kept.owner, key);
    this.#shares.remove(kept.owner, kept.size);
  }
}
