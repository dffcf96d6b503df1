import type { StorageDiagnostic } from '../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../domain/document/workflow-document.ts';
import type { Clock } from '../application/ports/environment.ts';
import { aFunction, type OptionRules } from '../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../application/options.ts';
import { ExpiringMap } from './caches.ts';

/** All workflows of a storage at one time; plain JSON. */
export interface WorkflowSnapshot {
  /** Sorted by id. */
  readonly workflows: readonly WorkflowDocument[];
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
  get(key: string): Promise<WorkflowSnapshot | undefined>;
  /** @param ttl how long it counts, in milliseconds, more than 0 */
  set(key: string, snapshot: WorkflowSnapshot, ttl: number): Promise<void>;
  delete(key: string): Promise<void>;
}

interface InMemoryWorkflowCacheOptions {
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
