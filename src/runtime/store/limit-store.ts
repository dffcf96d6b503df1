import { createHash } from 'node:crypto';
import { isOwnedBy, ownedKey, splitKey } from '../../shared/owners/owned-key.ts';

/** What one limit counts of a call. */
export interface LimitCharge {
  /** Whose calls are counted, and by which limit. */
  readonly key: string;
  /** What the call counts for: a whole number, 0 or more, and never more than could ever pass. */
  readonly cost: number;
  /** How many calls there may be. */
  readonly limit: number;
  /** Milliseconds over which they are spread, or the window of the calendar (UTC) that they have to themselves. */
  readonly per: number | 'hour' | 'day' | 'month';
  /** How many may come at once, where they are spread. */
  readonly burst: number;
}

/** Why a call was not counted. */
export interface LimitRefusal {
  /** The index of the charge that has to wait longest. */
  readonly index: number;
  /** Milliseconds after which the same call would pass, if nothing else were counted. */
  readonly retryAfter: number;
}

/**
 * Counts calls for rates and quotas. Instances of a server may share one. Keys are any text of well-formed Unicode without
 * U+0000. `limitStoreConformance` of `toolwright/testing` checks a store of your own.
 */
export interface LimitStore {
  /**
   * Counts all charges of a call, or none of them, in one step; the time is that of the store.
   * @returns undefined when they are counted
   */
  charge(charges: readonly LimitCharge[]): LimitRefusal | undefined | Promise<LimitRefusal | undefined>;
  /**
   * Removes every count of an owner: those whose keys begin with its name and a dot. Names have 22 letters, digits, `-` and
   * `_`. Without this method, `app.forget` reports that the store kept what it has.
   * @returns how many there were
   */
  forget?(owner: string): number | Promise<number>;
}

/** Options of `new InMemoryLimitStore()`. */
export interface InMemoryLimitStoreOptions {
  /** Default 100,000. The key that was charged longest ago makes room for a further one, and begins again. */
  readonly maxKeys?: number;
  /** Milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/** What is counted under one key. */
interface Count {
  /** Of a rate, what is used of the burst, times the milliseconds that it is spread over; else the number of calls. */
  used: number;
  /** When it was counted, or when its window begins. */
  at: number;
  /** From then on it is as if nothing had been counted. */
  freshAt: number;
}

const MOST_KEYS = 100_000;
/** Longer keys are kept as their hashes. */
const LONGEST_KEY = 128;

/** Counts in this process. It answers at once, and what it keeps is bounded. */
export class InMemoryLimitStore implements LimitStore {
  readonly #counts = new Map<string, Count>();
  readonly #maxKeys: number;
  readonly #now: () => number;

  /** Creates an empty store. */
  constructor({ maxKeys = MOST_KEYS, now = Date.now }: InMemoryLimitStoreOptions = {}) {
    this.#maxKeys = maxKeys;
    this.#now = now;
  }

  /** How many keys are counted. */
  get size(): number {
    return this.#counts.size;
  }

  /** Counts all charges, or none of them. */
  charge(charges: readonly LimitCharge[]): LimitRefusal | undefined {
    const now = Math.floor(this.#now());
    let refusal: LimitRefusal | undefined;
    const counted = charges.map((charge, index) => {
      const key = boundedKey(charge.key);
      const count = countWith(charge, this.#counts.get(key), now);
      const retryAfter = waitOf(charge, count, now);
      if (retryAfter > (refusal?.retryAfter ?? 0)) refusal = { index, retryAfter };
      return { key, count };
    });
    if (refusal === undefined) for (const { key, count } of counted) this.#keep(key, count, now);
    return refusal;
  }

  /** Removes every count of an owner. */
  forget(owner: string): number {
    const now = this.#now();
    const owned = [...this.#counts].filter(([key]) => isOwnedBy(key, owner));
    for (const [key] of owned) this.#counts.delete(key);
    return owned.filter(([, { freshAt }]) => freshAt > now).length;
  }

  /** The keys stand in the order in which they were last charged. */
  #keep(key: string, count: Count, now: number): void {
    const isKnown = this.#counts.delete(key);
    // Two for each new one, so that what is over goes away although nobody asks for it again
    if (!isKnown) for (let turn = 0; turn < 2; turn += 1) this.#dropOldest(now);
    this.#counts.set(key, count);
  }

  #dropOldest(now: number): void {
    const [oldest] = this.#counts;
    if (oldest === undefined) return;
    const [key, { freshAt }] = oldest;
    if (freshAt <= now || this.#counts.size >= this.#maxKeys) this.#counts.delete(key);
  }
}

function boundedKey(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  const [owner, rest] = splitKey(key);
  return ownedKey(owner, createHash('sha256').update(rest).digest('base64'));
}

/** The count, were the charge added to it. */
function countWith({ cost, limit, per }: LimitCharge, known: Count | undefined, now: number): Count {
  if (typeof per !== 'number') {
    const [begin, end] = windowOf(per, now);
    const before = known?.at === begin ? known.used : 0;
    return { used: before + cost, at: begin, freshAt: end };
  }
  // A clock that was set back makes nobody wait for it
  if (known !== undefined) known.at = Math.min(known.at, now);
  // Whole numbers as long as times and limits are, so that nobody waits a millisecond too long
  const passed = known === undefined ? 0 : now - known.at;
  const before = known === undefined ? 0 : Math.max(0, known.used - passed * limit);
  const used = before + cost * per;
  return { used, at: now, freshAt: now + Math.ceil(used / limit) };
}

/** Milliseconds until the count fits the limit; 0 where it does. */
function waitOf({ limit, per, burst }: LimitCharge, { used, freshAt }: Count, now: number): number {
  if (typeof per !== 'number') return used <= limit ? 0 : freshAt - now;
  const over = used - burst * per;
  return over <= 0 ? 0 : Math.ceil(over / limit);
}

const LENGTHS = { hour: 3_600_000, day: 86_400_000 } as const;

/** When the present window of the calendar began, and when it ends. */
function windowOf(per: 'hour' | 'day' | 'month', now: number): readonly [begin: number, end: number] {
  if (per !== 'month') {
    const begin = now - (now % LENGTHS[per]);
    return [begin, begin + LENGTHS[per]];
  }
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return [Date.UTC(year, month), Date.UTC(year, month + 1)];
}
