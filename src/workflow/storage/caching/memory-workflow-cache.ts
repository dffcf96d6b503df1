import type { Clock } from '../../application/ports/environment.ts';
import { aFunction, type OptionRules } from '../../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import { ExpiringMap } from '../expiring-map.ts';
import type { WorkflowCache, WorkflowSnapshot } from './workflow-cache.ts';

interface MemoryCacheOptions {
  readonly clock?: Clock;
}

export const MEMORY_CACHE_RULES: OptionRules<MemoryCacheOptions> = { clock: aFunction };

const MAXIMUM = 100;

/** The cache of one process; it keeps the 100 snapshots that were used last. */
export class MemoryWorkflowCache implements WorkflowCache {
  readonly #snapshots: ExpiringMap<WorkflowSnapshot>;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: MemoryCacheOptions = {}) {
    refuseWorkflowOptions('new MemoryWorkflowCache()', options, MEMORY_CACHE_RULES);
    const { clock = Date.now } = options;
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
