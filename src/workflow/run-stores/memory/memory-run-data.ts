import type {
  RecordedResponse,
  RunSnapshot,
  AppendRequest,
  AppendResult,
  RunSummary,
  ExportedRun,
} from '../../application/ports/run-store.ts';
import { type RunColumns, runColumns, type CheckedQuery } from '../rules/run-query.ts';
import { checkAppend, checkKey, scopeOf, checkImport } from '../rules/check-append.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { alreadyThere } from '../rules/store-failures.ts';

/** A run as it is kept: all of it JSON text, so that nobody holds what another one changes. */
interface KeptRun {
  columns: RunColumns;
  summary: string;
  readonly events: string[];
  snapshot: RunSnapshot | null;
}

interface KeptResponse extends RecordedResponse {
  readonly runId: string;
  readonly scope: string;
  readonly key: string;
}

interface KeptLease {
  readonly owner: string | null;
  readonly fence: number;
  readonly expiresAt: number;
}

/** What memory run stores keep. Stores that are made with the same data behave like two on one database. */
export class MemoryRunData {
  readonly runs = new Map<string, KeptRun>();
  /** By scope and key, as a JSON array. */
  readonly responses = new Map<string, KeptResponse>();
  readonly definitions = new Map<string, string>();
  readonly leases = new Map<string, KeptLease>();
  readonly values = new Map<string, string>();
}

/** Runs to the end at once, which makes it one transaction. */
export function appendMemory(data: MemoryRunData, request: AppendRequest): AppendResult {
  checkAppend(request);
  const { runId, expectedSeq, summary } = request;
  const key = keyOf(request);
  const recorded = key && data.responses.get(key.name);
  if (recorded) return checkKey(recorded, request);
  const run = data.runs.get(runId);
  const actualSeq = run?.events.length ?? 0;
  if (actualSeq !== expectedSeq) return { conflict: true, actualSeq };
  const events = run?.events ?? [];
  const snapshot = request.snapshot ? { ...request.snapshot } : (run?.snapshot ?? null);
  const kept = { columns: runColumns(summary), summary: JSON.stringify(summary), events, snapshot };
  addEvents(events, request);
  data.runs.set(runId, kept);
  if (key) data.responses.set(key.name, key.kept);
  return { ok: true, seq: summary.seq };
}

/** One by one: a function takes only so many arguments. */
function addEvents(kept: string[], { events }: AppendRequest): void {
  for (const event of events) kept.push(JSON.stringify(event));
}

function keyOf(request: AppendRequest) {
  const { runId, idempotencyKey: key, requestHash, response } = request;
  if (key === undefined || requestHash === undefined || response === undefined) return undefined;
  const scope = scopeOf(request);
  return { name: responseName(scope, key), kept: { runId, scope, key, requestHash, response } };
}

type Entry = readonly [runId: string, run: KeptRun];

export function compareText(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function newestFirst([leftId, left]: Entry, [rightId, right]: Entry): number {
  return compareText(right.columns.updatedAt, left.columns.updatedAt) || compareText(leftId, rightId);
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

/** One more than the limit, if there are more. */
export function queryMemory(runs: ReadonlyMap<string, KeptRun>, query: CheckedQuery): readonly RunSummary[] {
  return [...runs]
    .filter(([runId, { columns }]) => matches(query, runId, columns))
    .sort(newestFirst)
    .slice(0, query.limit + 1)
    .map(([, { summary }]) => JSON.parse(summary) as RunSummary);
}

export function exportMemoryRun(data: MemoryRunData, runId: string): ExportedRun | null {
  const run = data.runs.get(runId);
  if (!run) return null;
  const summary = JSON.parse(run.summary) as RunSummary;
  const json = data.definitions.get(summary.definitionHash);
  return {
    summary,
    events: run.events.map((event) => JSON.parse(event) as RunEvent),
    idempotency: [...data.responses.values()]
      .filter((kept) => kept.runId === runId)
      .map(({ scope, key, requestHash, response }) => ({ scope, key, requestHash, response }))
      .sort((left, right) => compareText(left.scope, right.scope) || compareText(left.key, right.key)),
    definition: json === undefined ? null : { hash: summary.definitionHash, json },
  };
}

export function importMemoryRun(data: MemoryRunData, run: ExportedRun): void {
  checkImport(run);
  const { summary, events, idempotency, definition } = run;
  const { runId } = summary;
  const responses = idempotency.map(
    (kept) => [responseName(kept.scope, kept.key), { ...kept, runId }] as const,
  );
  if (data.runs.has(runId)) throw alreadyThere(runId, 'the run');
  if (responses.some(([name]) => data.responses.has(name)))
    throw alreadyThere(runId, 'an idempotency key of the run');
  data.runs.set(runId, {
    columns: runColumns(summary),
    summary: JSON.stringify(summary),
    events: events.map((event) => JSON.stringify(event)),
    snapshot: null,
  });
  for (const [name, kept] of responses) data.responses.set(name, kept);
  if (definition && !data.definitions.has(definition.hash)) {
    data.definitions.set(definition.hash, definition.json);
  }
}

export function responseName(scope: string, key: string): string {
  return JSON.stringify([scope, key]);
}
