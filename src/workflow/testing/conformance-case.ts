import assert from 'node:assert/strict';
import type { AppendRequest, AppendResult, RunStore, RunSummary } from '../application/ports/run-store.ts';
import type { RunEvent } from '../domain/run/run-state.ts';
import type { Cases } from '../../shared/conformance-case.ts';

/** A store on an empty database, made and opened for one case. */
export interface StoreUnderTest {
  /** The store that the case tests. */
  readonly store: RunStore;
  /** Another store, open, on the same database, after `store` was closed. */
  readonly reopen: () => Promise<RunStore>;
  /** Another store, open, on the same database, beside `store`. */
  readonly second: () => Promise<RunStore>;
  /** Closes all stores, even closed ones, and removes the database. */
  readonly dispose: () => Promise<void>;
}

/** Makes the store for one case, open and empty. */
export type MakeStore = () => Promise<StoreUnderTest>;

/** What cases do with their stores, by the names of the cases. */
export type RunStoreCases = Cases<StoreUnderTest>;

export const EARLY = '2026-01-01T00:00:00.000Z';
export const LATE = '2026-06-01T00:00:00.000Z';

function sampleSummary(facts: Partial<RunSummary> = {}): RunSummary {
  return {
    runId: 'run-1',
    tenant: 'acme',
    principal: 'ann',
    workflowId: 'release',
    definitionHash: 'sha256:0',
    status: 'running',
    seq: 1,
    createdAt: EARLY,
    updatedAt: EARLY,
    expiresAt: LATE,
    ...facts,
  };
}

/** Events with their position as content, unless other content is given. */
export function sampleEvents(
  first: number,
  count: number,
  say = (seq: number) => `event ${seq}`,
): RunEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    seq: first + index,
    v: 1,
    type: 'Checkpointed',
    at: EARLY,
    actor: { kind: 'agent' },
    data: { notes: say(first + index) },
  }));
}

interface SampleFacts extends Partial<Omit<AppendRequest, 'summary'>> {
  readonly count?: number;
  readonly summary?: Partial<RunSummary>;
}

/** A change that a store takes, except for what the facts say. */
export function sampleRequest({ count = 1, summary, ...facts }: SampleFacts = {}): AppendRequest {
  const { runId = 'run-1', expectedSeq = 0 } = facts;
  return {
    runId,
    expectedSeq,
    events: sampleEvents(expectedSeq + 1, count),
    ...facts,
    summary: sampleSummary({ runId, seq: expectedSeq + count, ...summary }),
  };
}

/** A request under a key, whose response says which one it is. */
export function keyedRequest(facts: SampleFacts = {}): AppendRequest {
  return sampleRequest({ idempotencyKey: 'key-1', requestHash: 'hash-1', response: 'response-1', ...facts });
}

export const ok = (seq: number): AppendResult => ({ ok: true, seq });
export const conflict = (actualSeq: number): AppendResult => ({ conflict: true, actualSeq });
/** What the repeat of a keyed request gets. */
export const duplicate: AppendResult = { duplicate: true, response: 'response-1' };

/** Starts one run per summary. */
export async function startRuns(
  store: RunStore,
  ...summaries: readonly Partial<RunSummary>[]
): Promise<void> {
  for (const summary of summaries) {
    await store.append(sampleRequest({ runId: summary.runId ?? 'run-1', summary }));
  }
}

/** Errors are recognized by their code, because another copy of the package throws another class. */
export async function rejectsWith(code: string, work: () => Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof Error && 'code' in error, `an error with a code, not ${String(error)}`);
    assert.equal(error.code, code);
    return true;
  });
}

/** Everything that asks for something by name. */
export function lookups(store: RunStore, name: string): readonly (() => Promise<unknown>)[] {
  const cursor = Buffer.from(JSON.stringify([EARLY, name])).toString('base64url');
  return [
    () => store.load(name),
    () => store.getSummary(name),
    () => store.getSnapshot(name),
    () => store.putSnapshot(name, { seq: 1, state: '{}' }),
    () => store.getRecorded(name, 'key-1'),
    () => store.getRecorded('run-1', name),
    () => store.find({ tenant: 'acme', limit: 1, cursor }),
    () => store.getDefinition(name),
    () => store.acquireLease(name, 'a', 1),
    () => store.acquireLease('run-1', name, 1),
    () => store.releaseLease(name, 'a'),
    () => store.exportRun(name),
  ];
}
