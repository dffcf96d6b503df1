import { Buffer } from 'node:buffer';
import { refuseOptions } from '../../errors/option-errors.ts';
import { isOwnedBy } from '../../shared/owners/owned-key.ts';
import { OwnerShares, type Owner } from '../../shared/owners/owner-shares.ts';
import { positiveNumber, type OptionRules } from '../../shared/option-rules.ts';
import type { Store, StoreEntry, StoreWrite, StoreWritten } from './store.ts';

/** How much an `InMemoryStore` keeps. */
export interface InMemoryStoreOptions {
  /**
   * The estimated memory of each collection: per entry its key and text in UTF-8, and 256 bytes. Above it, the owner with
   * the most loses what may go: its oldest results, and what came of answers. Where nothing may go, nothing new is taken.
   * Default 64 MiB.
   */
  readonly maxBytes?: number;
  /** The same of one owner; all who are not known are one. Default: half of `maxBytes`. */
  readonly maxBytesPerOwner?: number;
}

export const MEMORY_STORE_RULES: OptionRules<InMemoryStoreOptions> = {
  maxBytes: positiveNumber,
  maxBytesPerOwner: positiveNumber,
};

const MAX_BYTES = 64 * 1024 * 1024;

interface Bounds {
  readonly total: number;
  readonly perOwner: number;
}

/** The {@link Store} of one process; with the process, it forgets everything. */
export class InMemoryStore implements Store {
  readonly #collections = new Map<string, Collection>();
  readonly #bounds: Bounds;
  readonly #now: () => number;
  /** From the clock on, so that versions also grow from process to process. */
  #version = Date.now();

  /**
   * Creates an empty store.
   * @param now a monotonic clock, in milliseconds
   * @throws ToolwrightError TW_APPLICATION_OPTION
   */
  constructor(options: InMemoryStoreOptions = {}, now = (): number => performance.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new InMemoryStore()', options, MEMORY_STORE_RULES);
    const { maxBytes = MAX_BYTES } = options;
    this.#bounds = { total: maxBytes, perOwner: options.maxBytesPerOwner ?? maxBytes / 2 };
    this.#now = now;
  }

  /** How many entries are kept. */
  get size(): number {
    let size = 0;
    for (const entries of this.#collections.values()) size += entries.size;
    return size;
  }

  async get(
    collection: string,
    key: string,
    { keep }: { readonly keep?: number } = {},
  ): Promise<StoreEntry | undefined> {
    const now = this.#now();
    const entry = this.#collections.get(collection)?.find(key, now);
    if (entry !== undefined && keep !== undefined) entry.until = now + keep;
    return entry && entryAt(entry, now);
  }

  async put(collection: string, key: string, write: StoreWrite): Promise<StoreWritten> {
    const now = this.#now();
    const entries = this.#collectionOf(collection);
    const present = entries.find(key, now);
    if (!isMet(write.if, present, now)) return { refused: present && entryAt(present, now) };
    if (write.ttl <= 0) {
      if (present !== undefined) entries.delete(present);
      return { version: (this.#version += 1) };
    }
    const full = entries.makeRoom(key, write, present, now);
    if (full !== undefined) return { full };
    const staysNumbered = write.renumber === false && present !== undefined;
    const version = staysNumbered ? present.version : (this.#version += 1);
    entries.set(key, write, version, now);
    return { version };
  }

  async delete(collection: string, key: string, version?: number): Promise<boolean> {
    const entries = this.#collections.get(collection);
    const present = entries?.find(key, this.#now());
    if (present === undefined || (version !== undefined && present.version !== version)) return false;
    entries?.delete(present);
    return true;
  }

  async forget(collection: string, owner: string): Promise<number> {
    return this.#collections.get(collection)?.forget(owner, this.#now()) ?? 0;
  }

  #collectionOf(name: string): Collection {
    const known = this.#collections.get(name) ?? new Collection(this.#bounds);
    this.#collections.set(name, known);
    return known;
  }
}

interface Entry {
  readonly key: string;
  readonly owner: Owner;
  readonly version: number;
  /** What is left of it where memory is full; undefined where all of it goes, or nothing. */
  readonly spare: StoreWrite['spare'];
  value: string;
  size: number;
  /** When its hold is over. */
  readonly held: number;
  /** When it is forgotten. */
  until: number;
}

/** What an entry takes beside its texts: its objects, and its places in collections. */
const OVERHEAD = 256;
/** Milliseconds between two looks at all entries for those that are expired. */
const SWEEP_INTERVAL = 1000;
/** Entries that each write looks at, so that what is expired goes away although nobody asks for it again. */
const MAX_LOOKS = 2;

/** The entries of one collection, which has its space to itself. */
class Collection {
  readonly #entries = new Map<string, Entry>();
  /** Of the bytes; offered is what may go. */
  readonly #shares = new OwnerShares<Entry>();
  readonly #bounds: Bounds;
  #sweptAt = -Infinity;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: string, now: number): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > now) return entry;
    this.delete(entry);
    return undefined;
  }

  set(key: string, write: StoreWrite, version: number, now: number): void {
    const before = this.#entries.get(key);
    // An entry stays with the owner who put it there first
    const owner = before === undefined ? write.share?.owner : before.owner;
    if (before !== undefined) this.delete(before);
    else this.#lookAround(now);
    const { value, ttl, hold = 0, spare } = write;
    const size = sizeOf(key, value);
    const entry: Entry = { key, owner, version, spare, value, size, held: now + hold, until: now + ttl };
    this.#entries.set(key, entry);
    this.#shares.add(owner, size);
    this.#offer(entry);
    // What grew may have to give up something at once
    if (before !== undefined) this.#giveUpFor(owner, 0);
  }

  delete(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#shares.withdraw(entry.owner, entry);
    this.#shares.remove(entry.owner, entry.size);
  }

  forget(owner: string, now: number): number {
    const owned = [...this.#entries.values()].filter(({ key }) => isOwnedBy(key, owner));
    for (const entry of owned) this.delete(entry);
    return owned.filter(({ until }) => until > now).length;
  }

  /**
   * Makes room for a write. One that goes by a version is refused only for the bytes that it names itself: who has done
   * something has to be able to say so.
   * @returns what is full, if there is no room
   */
  makeRoom(
    key: string,
    write: StoreWrite,
    present: Entry | undefined,
    now: number,
  ): 'store' | 'owner' | undefined {
    const size = sizeOf(key, write.value) - (present?.size ?? 0);
    if (size <= 0 || !isBound(write)) return undefined;
    const owner = present === undefined ? write.share?.owner : present.owner;
    const bounds = boundsOf(write, this.#bounds);
    // Before anything makes room for it in vain
    if (size > bounds.perOwner) return 'owner';
    if (size > bounds.total) return 'store';
    if (!this.#hasRoom(owner, size, bounds)) this.#sweep(now);
    if (this.#makesRoom(owner, size, bounds, present)) return undefined;
    return this.#shares.of(owner) + size > bounds.perOwner ? 'owner' : 'store';
  }

  /** What is present is not given up for what takes its own place. */
  #makesRoom(owner: Owner, size: number, bounds: Bounds, present: Entry | undefined): boolean {
    if (present === undefined) return this.#giveUpFor(owner, size, bounds);
    this.#shares.withdraw(owner, present);
    const hasRoom = this.#giveUpFor(owner, size, bounds);
    if (!hasRoom) this.#offer(present);
    return hasRoom;
  }

  #hasRoom(owner: Owner, size: number, { total, perOwner }: Bounds): boolean {
    return this.#shares.total + size <= total && this.#shares.of(owner) + size <= perOwner;
  }

  #offer(entry: Entry): void {
    const { owner, spare } = entry;
    if (spare === 'whole') this.#shares.offer(owner, entry, -Infinity);
    else if (spare !== undefined) this.#shares.offer(owner, entry);
  }

  #giveUpFor(owner: Owner, size: number, bounds = this.#bounds): boolean {
    return this.#shares.makeRoom(owner, size, bounds, (entry) => {
      if (typeof entry.spare !== 'object') this.delete(entry);
      else this.#shorten(entry, entry.spare.as);
    });
  }

  #shorten(entry: Entry, value: string): void {
    this.#shares.withdraw(entry.owner, entry);
    const size = sizeOf(entry.key, value);
    this.#shares.add(entry.owner, size - entry.size);
    entry.value = value;
    entry.size = size;
  }

  /** The first entries go if they are expired, and else to the end: so each has its turn. */
  #lookAround(now: number): void {
    let looks = 0;
    for (const [key, entry] of this.#entries) {
      if (looks === MAX_LOOKS) return;
      looks += 1;
      if (entry.until <= now) this.delete(entry);
      else if (this.#entries.size > MAX_LOOKS) {
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      }
    }
  }

  /** Skipped shortly after the last time: repeated refusals must not scan all entries each time. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_INTERVAL) return;
    this.#sweptAt = now;
    for (const entry of this.#entries.values()) if (entry.until <= now) this.delete(entry);
  }
}

function boundsOf({ share }: StoreWrite, { total, perOwner }: Bounds): Bounds {
  return { total, perOwner: Math.min(perOwner, share?.bytes ?? Infinity) };
}

/** Whether the bounds of the store hold for a write. */
function isBound({ if: condition, share }: StoreWrite): boolean {
  return condition === undefined || condition === 'absent' || share?.bytes !== undefined;
}

function isMet(condition: StoreWrite['if'], present: Entry | undefined, now: number): boolean {
  if (condition === undefined) return true;
  if (condition === 'absent') return present === undefined;
  if (typeof condition === 'number') return present?.version === condition;
  return present?.version === condition.held && present.held > now;
}

function entryAt({ value, version, held }: Entry, now: number): StoreEntry {
  return { value, version, holdLeft: Math.max(0, held - now) };
}

function sizeOf(key: string, value: string): number {
  return OVERHEAD + Buffer.byteLength(key) + Buffer.byteLength(value);
}
