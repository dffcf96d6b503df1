import type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RecordedResponse,
  RunPage,
  RunQuery,
  RunSnapshot,
  RunStore,
  RunSummary,
} from '../application/ports/run-store.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { RunEvent } from '../domain/run/run-state.ts';
import {
  checkAppend,
  checkImport,
  checkLease,
  checkNames,
  checkText,
  checkLimit,
  checkQuery,
  instant,
  pageOf,
  type CheckedQuery,
} from './checks.ts';
import { notOpen, storageFailure } from './store-failures.ts';

/** The backend of a run store. Its inputs are checked, and times are in the one format that sorts as text. */
export interface RunBackend extends Omit<RunStore, 'init' | 'find'> {
  open(): Promise<void>;
  load(runId: string, fromSeq: number): Promise<readonly RunEvent[]>;
  /** Returns one more than the limit, if there are more. */
  find(query: CheckedQuery): Promise<readonly RunSummary[]>;
}

/** The base of the run stores of this package: it checks their state and inputs, and reports failures alike. */
export abstract class CheckedRunStore implements RunStore {
  readonly #runs: RunBackend;
  readonly #begun = new Set<Promise<unknown>>();
  #state: 'new' | 'open' | 'closed' = 'new';

  /** @internal */
  protected constructor(runs: RunBackend) {
    this.#runs = runs;
  }

  async init(): Promise<void> {
    if (this.#state === 'closed') throw notOpen('init', true);
    await this.#attempt('init', () => this.#runs.open());
    if (this.#state === 'new') this.#state = 'open';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    // Ending a pool while it connects would never finish.
    await Promise.allSettled(this.#begun);
    await this.#attempt('close', () => this.#runs.close());
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    checkAppend(request);
    return this.#use('append', (runs) => runs.append(request));
  }

  async load(runId: string, fromSeq = 1): Promise<readonly RunEvent[]> {
    checkText({ runId });
    return this.#use('load', (runs) => runs.load(runId, fromSeq));
  }

  async getSummary(runId: string): Promise<RunSummary | null> {
    checkText({ runId });
    return this.#use('getSummary', (runs) => runs.getSummary(runId));
  }

  async getSnapshot(runId: string): Promise<RunSnapshot | null> {
    checkText({ runId });
    return this.#use('getSnapshot', (runs) => runs.getSnapshot(runId));
  }

  async putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    checkText({ runId, state: snapshot.state });
    await this.#use('putSnapshot', (runs) => runs.putSnapshot(runId, snapshot));
  }

  async getRecorded(scope: string, key: string): Promise<RecordedResponse | null> {
    checkText({ scope, key });
    return this.#use('getRecorded', (runs) => runs.getRecorded(scope, key));
  }

  async find(query: RunQuery): Promise<RunPage> {
    const checked = checkQuery(query);
    return pageOf(await this.#use('find', (runs) => runs.find(checked)), checked.limit);
  }

  async findExpired(before: string, limit: number): Promise<readonly string[]> {
    const time = instant('before', before);
    checkLimit(limit);
    return this.#use('findExpired', (runs) => runs.findExpired(time, limit));
  }

  async pinDefinition(hash: string, json: string): Promise<void> {
    checkNames({ hash });
    checkText({ json });
    await this.#use('pinDefinition', (runs) => runs.pinDefinition(hash, json));
  }

  async getDefinition(hash: string): Promise<string | null> {
    checkText({ hash });
    return this.#use('getDefinition', (runs) => runs.getDefinition(hash));
  }

  async acquireLease(runId: string, owner: string, ttl: number): Promise<number | null> {
    checkLease(runId, owner, ttl);
    return this.#use('acquireLease', (runs) => runs.acquireLease(runId, owner, ttl));
  }

  async releaseLease(runId: string, owner: string): Promise<void> {
    checkText({ runId, owner });
    await this.#use('releaseLease', (runs) => runs.releaseLease(runId, owner));
  }

  async keep(name: string, value: string): Promise<string> {
    checkNames({ name });
    checkText({ value });
    return this.#use('keep', (runs) => runs.keep(name, value));
  }

  async exportRun(runId: string): Promise<ExportedRun | null> {
    checkText({ runId });
    return this.#use('exportRun', (runs) => runs.exportRun(runId));
  }

  async importRun(run: ExportedRun): Promise<void> {
    checkImport(run);
    await this.#use('importRun', (runs) => runs.importRun(run));
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    const time = instant('before', before);
    return this.#use('purge', (runs) => runs.purge({ before: time }));
  }

  async #use<Result>(operation: string, work: (runs: RunBackend) => Promise<Result>): Promise<Result> {
    if (this.#state !== 'open') throw notOpen(operation, this.#state === 'closed');
    return this.#attempt(operation, () => work(this.#runs));
  }

  async #attempt<Result>(operation: string, work: () => Promise<Result>): Promise<Result> {
    const result = work();
    this.#begun.add(result);
    try {
      return await result;
    } catch (error) {
      throw error instanceof WorkflowError ? error : storageFailure(operation, error);
    } finally {
      this.#begun.delete(result);
    }
  }
}
