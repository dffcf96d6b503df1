import type { StorageDiagnostic } from '../../application/ports/workflow-storage.ts';
import type { WorkflowDocument } from '../../domain/document/workflow-document.ts';

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
 *   async set(key: string, snapshot: WorkflowSnapshot, ttlMs: number): Promise<void> {
 *     await this.redis.set(key, JSON.stringify(snapshot), { PX: ttlMs });
 *   }
 *
 *   async delete(key: string): Promise<void> {
 *     await this.redis.del(key);
 *   }
 * }
 */
export interface WorkflowCache {
  get(key: string): Promise<WorkflowSnapshot | undefined>;
  /** @param ttlMs how long it counts, in milliseconds, more than 0 */
  set(key: string, snapshot: WorkflowSnapshot, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
}
