import type { Clock } from '../../application/ports/clock.ts';
import { ExpiringMap } from '../expiring-map.ts';
import type { WorkflowCache, WorkflowSnapshot } from './workflow-cache.ts';

const MAXIMUM = 100;

/** The cache of one process; it keeps the 100 snapshots that were used last. */
export class MemoryWorkflowCache implements WorkflowCache {
  readonly #snapshots: ExpiringMap<WorkflowSnapshot>;

  constructor({ clock = Date.now }: { readonly clock?: Clock } = {}) {
    this.#snapshots = new ExpiringMap({ clock, maximum: MAXIMUM });
  }

  async get(key: string): Promise<WorkflowSnapshot | undefined> {
    return this.#snapshots.get(key);
  }

  async set(key: string, snapshot: WorkflowSnapshot, ttlMs: number): Promise<void> {
    this.#snapshots.set(key, snapshot, ttlMs);
  }

  async delete(key: string): Promise<void> {
    this.#snapshots.delete(key);
  }
}
