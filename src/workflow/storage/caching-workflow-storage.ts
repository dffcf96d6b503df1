import {
  aFunction,
  countOrInfinity,
  filledText,
  objectWith,
  type OptionRules,
} from '../../shared/option-rules.ts';
import type { Clock } from '../application/observe-call.ts';
import type { StorageDiagnostic, WorkflowStorage } from '../application/ports/workflow-storage.ts';
import {
  summaryOf,
  type WorkflowDocument,
  type WorkflowSummary,
} from '../domain/document/workflow-document.ts';
import { refuseWorkflowOptions } from '../application/options.ts';
import {
  SharedLoad,
  InMemoryWorkflowCache,
  type WorkflowCache,
  type WorkflowSnapshot,
} from './workflow-cache.ts';
import {
  invalidWorkflow,
  storageFailure,
  outsideFailure,
  checkWorkflowId,
  isTooDeep,
  sortById,
} from './stored-documents.ts';

/** Options of `new CachingWorkflowStorage()`. */
export interface CachingOptions {
  /** How long a snapshot is valid, in milliseconds; default 300,000. With 0, nothing is cached. */
  readonly ttl?: number;
  /** Of the cache in memory. */
  readonly clock?: Clock;
  /** Default: the memory of this process. */
  readonly cache?: WorkflowCache;
  /** The name of the snapshot, for a cache that several storages share; default `workflows`. */
  readonly key?: string;
}

export const CACHING_RULES: OptionRules<CachingOptions> = {
  ttl: countOrInfinity,
  clock: aFunction,
  cache: objectWith('a cache', 'get', 'set', 'delete'),
  key: filledText,
};

/** How many reads were served from an existing snapshot, and how many had to load one. */
export interface CacheStats {
  /** Reads that an existing snapshot served. */
  readonly hits: number;
  /** Reads that loaded a snapshot. */
  readonly misses: number;
}

interface Lookup {
  readonly snapshot: WorkflowSnapshot;
  readonly isHit: boolean;
}

/**
 * Serves all reads from one snapshot of another storage. Concurrent misses share one load. A load is not cached if
 * any part of it fails, or if `invalidate` or `save` is called while it runs.
 *
 * @example
 * const cached = new CachingWorkflowStorage(new FileWorkflowStorage({ directory: './workflows' }), { ttl: 60_000 });
 * await cached.listSummaries();
 * console.error(cached.stats());
 */
export class CachingWorkflowStorage implements WorkflowStorage {
  /** Absent where the storage within cannot save. */
  readonly save?: (workflow: WorkflowDocument) => Promise<void>;
  readonly #storage: WorkflowStorage;
  readonly #cache: WorkflowCache;
  readonly #key: string;
  readonly #ttl: number;
  readonly #lookup = new SharedLoad<Lookup>();
  #hits = 0;
  #misses = 0;

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(storage: WorkflowStorage, options: CachingOptions = {}) {
    refuseWorkflowOptions('new CachingWorkflowStorage()', options, CACHING_RULES);
    const { ttl = 300_000, clock = Date.now, cache, key = 'workflows' } = options;
    this.#storage = storage;
    this.#cache = cache ?? new InMemoryWorkflowCache({ clock });
    this.#key = key;
    this.#ttl = ttl;
    if (storage.save !== undefined) this.save = (workflow) => this.#save(workflow);
  }

  async loadAll(): Promise<readonly WorkflowDocument[]> {
    return structuredClone((await this.#read()).workflows);
  }

  async getById(id: string): Promise<WorkflowDocument | null> {
    const known = checkWorkflowId(id);
    const { workflows, diagnostics } = await this.#read();
    const found = workflows.find((workflow) => workflow.id === known);
    if (found === undefined) throwIfRefused(known, diagnostics);
    return structuredClone(found ?? null);
  }

  async listSummaries(): Promise<readonly WorkflowSummary[]> {
    return (await this.#read()).workflows.map(summaryOf);
  }

  async diagnostics(): Promise<readonly StorageDiagnostic[]> {
    const { snapshot } = await this.#share();
    return structuredClone(snapshot.diagnostics);
  }

  /** How many reads the cache served since it was created. */
  stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses };
  }

  /**
   * The next read loads again.
   * @throws WorkflowError `STORAGE_ERROR` when the cache fails
   */
  async invalidate(): Promise<void> {
    this.#lookup.abandon();
    try {
      await this.#cache.delete(this.#key);
    } catch (error) {
      throw storageFailure('invalidate', error);
    }
  }

  async #save(workflow: WorkflowDocument): Promise<void> {
    try {
      await this.#storage.save?.(workflow);
    } finally {
      // A failed save may still have changed something
      await this.invalidate();
    }
  }

  async #read(): Promise<WorkflowSnapshot> {
    try {
      const { snapshot, isHit } = await this.#share();
      if (isHit) this.#hits += 1;
      else this.#misses += 1;
      return snapshot;
    } catch (error) {
      this.#misses += 1;
      throw error;
    }
  }

  #share(): Promise<Lookup> {
    return this.#lookup.run((isCurrent) => this.#find(isCurrent));
  }

  async #find(isCurrent: () => boolean): Promise<Lookup> {
    // A failing cache must not fail the read.
    const kept = await this.#cache.get(this.#key).catch(() => undefined);
    if (kept !== undefined) return { snapshot: kept, isHit: true };
    const snapshot = await takeSnapshot(this.#storage);
    if (isCurrent() && this.#ttl > 0 && isWhole(snapshot)) {
      await this.#cache.set(this.#key, snapshot, this.#ttl).catch(() => undefined);
    }
    return { snapshot, isHit: false };
  }
}

/** A snapshot of a storage, without documents that cannot be copied for every reader. */
async function takeSnapshot(storage: WorkflowStorage): Promise<WorkflowSnapshot> {
  const loaded = await storage.loadAll();
  const told = (await storage.diagnostics?.()) ?? [];
  const tooDeep = new Set(loaded.filter(isTooDeep));
  const workflows = sortById(loaded.filter((workflow) => !tooDeep.has(workflow)));
  return { workflows, diagnostics: [...told, ...[...tooDeep].map(describeTooDeep)] };
}

/** Whether no source failed: a cached snapshot would hide the workflows of a failed one until it expires. */
function isWhole({ diagnostics }: WorkflowSnapshot): boolean {
  return diagnostics.every(({ code }) => code !== 'STORAGE_ERROR');
}

function describeTooDeep({ id }: WorkflowDocument): StorageDiagnostic {
  return { code: 'INVALID_WORKFLOW', source: id, id, message: `The workflow "${id}" nests too deep.` };
}

/**
 * Throws the error for a workflow that the list skipped.
 * @throws WorkflowError `INVALID_WORKFLOW` or `SECURITY_ERROR`
 */
function throwIfRefused(workflowId: string, diagnostics: readonly StorageDiagnostic[]): void {
  const own = diagnostics.filter(({ id }) => id === workflowId);
  if (own.some(({ code }) => code === 'SECURITY_ERROR')) throw outsideFailure('read');
  const invalid = own.find(({ code }) => code === 'INVALID_WORKFLOW');
  if (invalid === undefined) return;
  const { message, details } = invalid;
  throw invalidWorkflow(workflowId, { message, details: { details: message, ...details } });
}
