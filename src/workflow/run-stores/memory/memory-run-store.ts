import { aFunction, rule, type OptionRules } from '../../../shared/option-rules.ts';
import type { Clock } from '../../application/ports/environment.ts';
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
} from '../../application/ports/run-store.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { isTerminal, type RunStatus } from '../../domain/run/run-state.ts';
import { checkLease, checkNames, checkText } from '../rules/check-values.ts';
import { instant, checkLimit, checkQuery, pageOf } from '../rules/run-query.ts';
import { notOpen } from '../rules/store-failures.ts';
import {
  appendMemory,
  MemoryRunData,
  exportMemoryRun,
  importMemoryRun,
  responseName,
  compareText,
  queryMemory,
} from './memory-run-data.ts';

export interface MemoryRunStoreOptions {
  /** What else has the same runs; nothing unless given. */
  readonly data?: MemoryRunData;
  /** By which leases end; `Date.now` unless given. */
  readonly clock?: Clock;
}

export const MEMORY_RULES: OptionRules<MemoryRunStoreOptions> = {
  data: rule('a MemoryRunData', (value) => value instanceof MemoryRunData),
  clock: aFunction,
};

/**
 * Keeps runs in the memory of the process: for tests.
 *
 * @example
 * const store = new MemoryRunStore();
 * await store.init();
 */
export class MemoryRunStore implements RunStore {
  readonly #kept: MemoryRunData;
  readonly #clock: Clock;
  #state: 'new' | 'open' | 'closed' = 'new';

  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: MemoryRunStoreOptions = {}) {
    refuseWorkflowOptions('new MemoryRunStore()', options, MEMORY_RULES);
    const { data = new MemoryRunData(), clock = Date.now } = options;
    this.#kept = data;
    this.#clock = clock;
  }

  async init(): Promise<void> {
    if (this.#state === 'closed') throw notOpen('init', true);
    this.#state = 'open';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    return appendMemory(this.#open('append'), request);
  }

  async load(runId: string, fromSeq = 1): Promise<readonly RunEvent[]> {
    checkText({ runId });
    const events = this.#open('load').runs.get(runId)?.events ?? [];
    return events.slice(Math.max(0, fromSeq - 1)).map((event) => JSON.parse(event) as RunEvent);
  }

  async getSummary(runId: string): Promise<RunSummary | null> {
    checkText({ runId });
    const run = this.#open('getSummary').runs.get(runId);
    return run ? (JSON.parse(run.summary) as RunSummary) : null;
  }

  async getSnapshot(runId: string): Promise<RunSnapshot | null> {
    checkText({ runId });
    const snapshot = this.#open('getSnapshot').runs.get(runId)?.snapshot;
    return snapshot ? { ...snapshot } : null;
  }

  async putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    checkText({ runId, state: snapshot.state });
    const run = this.#open('putSnapshot').runs.get(runId);
    if (run && snapshot.seq >= (run.snapshot?.seq ?? 0)) run.snapshot = { ...snapshot };
  }

  async getRecorded(scope: string, key: string): Promise<RecordedResponse | null> {
    checkText({ scope, key });
    const recorded = this.#open('getRecorded').responses.get(responseName(scope, key));
    return recorded ? { requestHash: recorded.requestHash, response: recorded.response } : null;
  }

  async find(query: RunQuery): Promise<RunPage> {
    const { runs } = this.#open('find');
    return pageOf(queryMemory(runs, checkQuery(query)), query.limit);
  }

  async findExpired(before: string, limit: number): Promise<readonly string[]> {
    const { runs } = this.#open('findExpired');
    checkLimit(limit);
    const time = instant('before', before);
    return [...runs]
      .map(([runId, { columns }]) => ({ runId, ...columns }))
      .filter(({ status, expiresAt }) => !isTerminal(status as RunStatus) && expiresAt < time)
      .sort(
        (left, right) => compareText(left.expiresAt, right.expiresAt) || compareText(left.runId, right.runId),
      )
      .slice(0, limit)
      .map(({ runId }) => runId);
  }

  async pinDefinition(hash: string, json: string): Promise<void> {
    checkNames({ hash });
    checkText({ json });
    const { definitions } = this.#open('pinDefinition');
    if (!definitions.has(hash)) definitions.set(hash, json);
  }

  async getDefinition(hash: string): Promise<string | null> {
    checkText({ hash });
    return this.#open('getDefinition').definitions.get(hash) ?? null;
  }

  async acquireLease(runId: string, owner: string, ttl: number): Promise<number | null> {
    checkLease(runId, owner, ttl);
    const { leases } = this.#open('acquireLease');
    const now = this.#clock();
    const lease = leases.get(runId);
    if (lease && lease.owner !== null && lease.owner !== owner && lease.expiresAt > now) return null;
    const fence = (lease?.fence ?? 0) + 1;
    leases.set(runId, { owner, fence, expiresAt: now + ttl });
    return fence;
  }

  async releaseLease(runId: string, owner: string): Promise<void> {
    checkText({ runId, owner });
    const { leases } = this.#open('releaseLease');
    const lease = leases.get(runId);
    if (lease?.owner === owner) leases.set(runId, { ...lease, owner: null });
  }

  async keep(name: string, value: string): Promise<string> {
    checkNames({ name });
    checkText({ value });
    const { values } = this.#open('keep');
    const kept = values.get(name) ?? value;
    values.set(name, kept);
    return kept;
  }

  async exportRun(runId: string): Promise<ExportedRun | null> {
    checkText({ runId });
    return exportMemoryRun(this.#open('exportRun'), runId);
  }

  async importRun(run: ExportedRun): Promise<void> {
    importMemoryRun(this.#open('importRun'), run);
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    const { runs, responses } = this.#open('purge');
    const time = instant('before', before);
    const old = [...runs].filter(
      ([, { columns }]) => isTerminal(columns.status as RunStatus) && columns.updatedAt < time,
    );
    // Not the leases: if the run is imported again, their numbers have to go on
    for (const [runId] of old) runs.delete(runId);
    for (const [name, { runId }] of responses) if (!runs.has(runId)) responses.delete(name);
    return old.length;
  }

  #open(operation: string): MemoryRunData {
    if (this.#state !== 'open') throw notOpen(operation, this.#state === 'closed');
    return this.#kept;
  }
}
