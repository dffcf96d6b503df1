import { compareText } from '../../shared/canonical-json.ts';
import { aFunction, rule, type OptionRules } from '../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../application/options.ts';
import type { Clock } from '../application/observe-call.ts';
import type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RecordedResponse,
  RunSnapshot,
  RunSummary,
} from '../application/ports/run-store.ts';
import { type RunEvent, isTerminal } from '../domain/run/run-state.ts';
import { CheckedRunStore, type RunBackend } from './checked-run-store.ts';
import {
  checkKey,
  responseOf,
  type KeptResponse,
  runColumns,
  type CheckedQuery,
  type RunColumns,
} from './checks.ts';
import { alreadyThere } from './store-failures.ts';

/** A stored run. All of it is JSON text, so that callers cannot share mutable objects. */
interface KeptRun {
  columns: RunColumns;
  summary: string;
  readonly events: string[];
  snapshot: RunSnapshot | null;
}

interface KeptLease {
  readonly owner: string | null;
  readonly fence: number;
  readonly expiresAt: number;
}

class RunTables {
  readonly runs = new Map<string, KeptRun>();
  /** By scope and key, as a JSON array. */
  readonly responses = new Map<string, KeptResponse>();
  readonly definitions = new Map<string, string>();
  readonly leases = new Map<string, KeptLease>();
  readonly values = new Map<string, string>();
}

let tablesOf: (data: InMemoryRunData) => RunTables;

/** The data of in-memory run stores. Stores created with the same data behave like two stores on one database. */
export class InMemoryRunData {
  readonly #tables = new RunTables();

  static {
    tablesOf = (data) => data.#tables;
  }
}

/** Options of `new InMemoryRunStore()`. */
export interface InMemoryRunStoreOptions {
  /** Data to share with other stores. Default: its own. */
  readonly data?: InMemoryRunData;
  /** The clock for leases. Default: `Date.now`. */
  readonly clock?: Clock;
}

export const MEMORY_RULES: OptionRules<InMemoryRunStoreOptions> = {
  data: rule('an InMemoryRunData', (value) => value instanceof InMemoryRunData),
  clock: aFunction,
};

/**
 * Keeps runs in the memory of the process: for tests.
 *
 * @example
 * const store = new InMemoryRunStore();
 * await store.init();
 */
export class InMemoryRunStore extends CheckedRunStore {
  /** @throws WorkflowError `TW_WORKFLOW_OPTION` */
  constructor(options: InMemoryRunStoreOptions = {}) {
    refuseWorkflowOptions('new InMemoryRunStore()', options, MEMORY_RULES);
    const { data = new InMemoryRunData(), clock = Date.now } = options;
    super(new MemoryRuns(tablesOf(data), clock));
  }
}

/** Each call runs synchronously, which makes it one transaction. */
class MemoryRuns implements RunBackend {
  constructor(
    private readonly data: RunTables,
    private readonly clock: Clock,
  ) {}

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  async append(request: AppendRequest): Promise<AppendResult> {
    const { runs, responses } = this.data;
    const { runId, expectedSeq, summary, snapshot } = request;
    const response = responseOf(request);
    const recorded = response && responses.get(nameOf(response));
    if (recorded) return checkKey(recorded, request);
    const run = runs.get(runId);
    const events = run?.events ?? [];
    if (events.length !== expectedSeq) return { conflict: true, actualSeq: events.length };
    // One by one: the number of arguments of a call is limited
    for (const event of request.events) events.push(JSON.stringify(event));
    runs.set(runId, keptRun(summary, events, snapshot ? { ...snapshot } : (run?.snapshot ?? null)));
    if (response) responses.set(nameOf(response), response);
    return { ok: true, seq: summary.seq };
  }

  async load(runId: string, fromSeq: number): Promise<readonly RunEvent[]> {
    const events = this.data.runs.get(runId)?.events ?? [];
    return events.slice(Math.max(0, fromSeq - 1)).map((event) => JSON.parse(event) as RunEvent);
  }

  async getSummary(runId: string): Promise<RunSummary | null> {
    const run = this.data.runs.get(runId);
    return run ? (JSON.parse(run.summary) as RunSummary) : null;
  }

  async getSnapshot(runId: string): Promise<RunSnapshot | null> {
    const snapshot = this.data.runs.get(runId)?.snapshot;
    return snapshot ? { ...snapshot } : null;
  }

  async putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    const run = this.data.runs.get(runId);
    if (run && snapshot.seq >= (run.snapshot?.seq ?? 0)) run.snapshot = { ...snapshot };
  }

  async getRecorded(scope: string, key: string): Promise<RecordedResponse | null> {
    const recorded = this.data.responses.get(nameOf({ scope, key }));
    return recorded ? { requestHash: recorded.requestHash, response: recorded.response } : null;
  }

  async find(query: CheckedQuery): Promise<readonly RunSummary[]> {
    return [...this.data.runs]
      .filter(([runId, { columns }]) => matches(query, runId, columns))
      .sort(
        ([leftId, { columns: left }], [rightId, { columns: right }]) =>
          compareText(right.updatedAt, left.updatedAt) || compareText(leftId, rightId),
      )
      .slice(0, query.limit + 1)
      .map(([, { summary }]) => JSON.parse(summary) as RunSummary);
  }

  async findExpired(before: string, limit: number): Promise<readonly string[]> {
    return [...this.data.runs]
      .map(([runId, { columns }]) => ({ runId, ...columns }))
      .filter(({ status, expiresAt }) => !isTerminal(status) && expiresAt < before)
      .sort(
        (left, right) => compareText(left.expiresAt, right.expiresAt) || compareText(left.runId, right.runId),
      )
      .slice(0, limit)
      .map(({ runId }) => runId);
  }

  async pinDefinition(hash: string, json: string): Promise<void> {
    keepFirst(this.data.definitions, hash, json);
  }

  async getDefinition(hash: string): Promise<string | null> {
    return this.data.definitions.get(hash) ?? null;
  }

  async acquireLease(runId: string, owner: string, ttl: number): Promise<number | null> {
    const { leases } = this.data;
    const now = this.clock();
    const lease = leases.get(runId);
    if (lease && lease.owner !== null && lease.owner !== owner && lease.expiresAt > now) return null;
    const fence = (lease?.fence ?? 0) + 1;
    leases.set(runId, { owner, fence, expiresAt: now + ttl });
    return fence;
  }

  async releaseLease(runId: string, owner: string): Promise<void> {
    const lease = this.data.leases.get(runId);
    if (lease?.owner === owner) this.data.leases.set(runId, { ...lease, owner: null });
  }

  async keep(name: string, value: string): Promise<string> {
    return keepFirst(this.data.values, name, value);
  }

  async exportRun(runId: string): Promise<ExportedRun | null> {
    const run = this.data.runs.get(runId);
    if (!run) return null;
    const summary = JSON.parse(run.summary) as RunSummary;
    const json = this.data.definitions.get(summary.definitionHash);
    return {
      summary,
      events: run.events.map((event) => JSON.parse(event) as RunEvent),
      idempotency: [...this.data.responses.values()]
        .filter((kept) => kept.runId === runId)
        .map(({ scope, key, requestHash, response }) => ({ scope, key, requestHash, response }))
        .sort((left, right) => compareText(left.scope, right.scope) || compareText(left.key, right.key)),
      definition: json === undefined ? null : { hash: summary.definitionHash, json },
    };
  }

  async importRun({ summary, events, idempotency, definition }: ExportedRun): Promise<void> {
    const { runs, responses, definitions } = this.data;
    const { runId } = summary;
    if (runs.has(runId)) throw alreadyThere(runId, 'the run');
    if (idempotency.some((kept) => responses.has(nameOf(kept))))
      throw alreadyThere(runId, 'an idempotency key of the run');
    const texts = events.map((event) => JSON.stringify(event));
    runs.set(runId, keptRun(summary, texts, null));
    for (const kept of idempotency) responses.set(nameOf(kept), { ...kept, runId });
    if (definition) keepFirst(definitions, definition.hash, definition.json);
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    const { runs, responses } = this.data;
    const old = [...runs].filter(
      ([, { columns }]) => isTerminal(columns.status) && columns.updatedAt < before,
    );
    // Keep the leases: if the run is imported again, their numbers must continue
    for (const [runId] of old) runs.delete(runId);
    for (const [name, { runId }] of responses) if (!runs.has(runId)) responses.delete(name);
    return old.length;
  }
}

function keptRun(summary: RunSummary, events: string[], snapshot: RunSnapshot | null): KeptRun {
  return { columns: runColumns(summary), summary: JSON.stringify(summary), events, snapshot };
}

function keepFirst(kept: Map<string, string>, name: string, value: string): string {
  const first = kept.get(name) ?? value;
  kept.set(name, first);
  return first;
}

function nameOf({ scope, key }: Pick<KeptResponse, 'scope' | 'key'>): string {
  return JSON.stringify([scope, key]);
}

function isAfter(after: NonNullable<CheckedQuery['after']>, runId: string, columns: RunColumns): boolean {
  return columns.updatedAt === after.updatedAt ? runId > after.runId : columns.updatedAt < after.updatedAt;
}

function matches(query: CheckedQuery, runId: string, columns: RunColumns): boolean {
  const { tenant, principal, status, workflowId, text, updatedAfter, after } = query;
  const conditions = [
    columns.tenant === tenant,
    principal === undefined || columns.principal === principal,
    status === undefined || columns.status === status,
    workflowId === undefined || columns.workflowId === workflowId,
    text === undefined || columns.foldedGoal.includes(text) || columns.foldedWorkflowId.includes(text),
    updatedAfter === undefined || columns.updatedAt > updatedAfter,
    after === undefined || isAfter(after, runId, columns),
  ];
  return conditions.every(Boolean);
}
