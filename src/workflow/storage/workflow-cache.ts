import { LRUCache } from 'lru-cache';
import type { StorageDiagnostic } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import type { Clock } from '../application/observe-call.ts';
import { aFunction, type OptionRules } from '../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../application/options.ts';

/** All workflows of a storage at one time; plain JSON. */
export interface WorkflowSnapshot {
  /** Sorted by id. */
  readonly workflows: readonly WorkflowDocument[];
  /** What the storage skipped. */
  readonly diagnostics: readonly StorageDiagnostic[];
}

/**
 * Where a CachingWorkflowStorage keeps its snapshots: this process, or one that several servers share. A rejected
 * `get` counts as a miss, and a rejected `set` as not kept.
 *
 * @example
 * interface RedisClient {
 *   get(key: string): Promise<string | null>;
 *   set(key: string, value: string, options: { PX: number }): Promise<unknown>;
 *   del(key: string): Promise<unknown>;
 * }
 *
 * class RedisWorkflowCache implements WorkflowCache {
 *   constructor(private readonly redis: RedisClient) {}
 *
 *   async get(key: string): Promise<WorkflowSnapshot | undefined> {
 *     const text = await this.redis.get(key);
 *     return text === null ? undefined : (JSON.parse(text) as WorkflowSnapshot);
 *   }
 *
 *   async set(key: string, snapshot: WorkflowSnapshot, ttl: number): Promise<void> {
 *     await this.redis.set(key, JSON.stringify(snapshot), { PX: ttl });
 *   }
 *
 *   async delete(key: string): Promise<void> {
 *     await this.redis.del(key);
 *   }
 * }
 */
export interface WorkflowCache {
  /** The snapshot; undefined if there is none, or it is no longer valid. */
  get(key: string): Promise<WorkflowSnapshot | undefined>;
  /** @param ttl how long the snapshot is valid, in milliseconds, more than 0 */
  set(key: string, snapshot: WorkflowSnapshot, ttl: number): Promise<void>;
  /** Removes the snapshot, if it is there. */
  delete(key: string): Promise<void>;
}

/** Options of `new InMemoryWorkflowCache()`. */
export interface InMemoryWorkflowCacheOptions {
  /** The clock that decides whether a snapshot is valid. Default: `Date.now`. */
  readonly clock?: Clock;
}

export const MEMORY_CACHE_RULES: OptionRules<InMemoryWorkflowCacheOptions> = { clock: aFunction };

const MAXIMUM = 100;

/** The cache of one process; it keeps the 100 snapshots that were used last. */
export class InMemoryWorkflowCache implements WorkflowCache {
  readonly #snapshots: ExpiringMap<WorkflowSnapshot>;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: InMemoryWorkflowCacheOptions = {}) {
    refuseWorkflowOptions('new InMemoryWorkflowCache()', options, MEMORY_CACHE_RULES);
    const { clock = Date.now } = options;
    this.#snapshots = new ExpiringMap({ clock, maximum: MAXIMUM });
  }

  async get(key: string): Promise<WorkflowSnapshot | undefined> {
    return this.#snapshots.get(key);
  }

  async set(key: string, snapshot: WorkflowSnapshot, ttl: number): Promise<void> {
    this.#snapshots.set(key, snapshot, ttl);
  }

  async delete(key: string): Promise<void> {
    this.#snapshots.delete(key);
  }
}

interface Entry<Value> {
  readonly value: Value;
  readonly since: number;
  readonly ttl: number;
}

interface ExpiringMapOptions {
  readonly clock: Clock;
  /** The maximum number of entries; the least recently used one is evicted first. */
  readonly maximum: number;
}

/** A map with entries that expire. */
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

  /** @param ttl the age at which the value expires */
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

/** Shares one load between concurrent callers. */
export class SharedLoad<Value> {
  #running: { readonly result: Promise<Value> } | undefined;

  /** @param load gets a function that says whether its result may still be kept */
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

  /** Later callers start a new load instead of sharing the current one. */
  abandon(): void {
    this.#running = undefined;
  }
}
