import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RunStoreCases,
  rejectsWith,
  sampleEvents,
  sampleRequest,
  keyedRequest,
  ok,
  conflict,
  duplicate,
  LATE,
  startRuns,
} from './conformance-case.ts';
import type { AppendRequest, AppendResult, RunStore } from '../application/ports/run-store.ts';

/** Events of a run go 1, 2, 3 and so on, from any writer. */
export const orderCases: RunStoreCases = {
  async 'gives events back in their order'({ store }) {
    assert.deepEqual(await store.append(sampleRequest({ count: 3 })), ok(3));
    assert.deepEqual(await store.append(sampleRequest({ expectedSeq: 3, count: 1200 })), ok(1203));
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1203));
  },
  async 'gives the events from a seq on'({ store }) {
    await store.append(sampleRequest({ count: 12 }));
    assert.deepEqual(await store.load('run-1', 9), sampleEvents(9, 4));
    assert.deepEqual(await store.load('run-1', 13), []);
  },
  async 'knows nothing of a run that was not started'({ store }) {
    assert.deepEqual(await store.load('nobody'), []);
    assert.equal(await store.getSummary('nobody'), null);
    assert.equal(await store.getSnapshot('nobody'), null);
    assert.equal(await store.exportRun('nobody'), null);
  },
  async 'refuses events with a gap, a repeat or another beginning'({ store }) {
    const wrong = [[2], [1, 3], [1, 1], [2, 1], [0], []];
    for (const seqs of wrong) {
      const events = seqs.flatMap((seq) => sampleEvents(seq, 1));
      const summary = { seq: seqs.length };
      await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ events, summary })));
    }
    assert.deepEqual(await store.load('run-1'), []);
  },
  async 'refuses a summary of another run or another seq'({ store }) {
    await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ summary: { runId: 'run-2' } })));
    await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ summary: { seq: 2 } })));
    assert.equal(await store.getSummary('run-1'), null);
  },
  async 'answers a change that expects another seq with the actual one and appends nothing'({ store }) {
    await store.append(sampleRequest({ count: 2 }));
    for (const expectedSeq of [0, 1, 3]) {
      const request = sampleRequest({ expectedSeq, count: 2, summary: { goal: 'lost' } });
      assert.deepEqual(await store.append(request), conflict(2));
    }
    assert.deepEqual(await store.append(sampleRequest({ runId: 'run-2', expectedSeq: 1 })), conflict(0));
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 2));
    assert.equal((await store.getSummary('run-1'))?.goal, undefined);
  },
  async 'keeps the summary and the snapshot of the last change'({ store }) {
    await store.append(
      sampleRequest({ summary: { goal: 'first' }, snapshot: { seq: 1, state: '{"at":1}' } }),
    );
    const request = sampleRequest({ expectedSeq: 1, summary: { goal: 'second', status: 'blocked' } });
    await store.append({ ...request, snapshot: { seq: 2, state: '{"at":2}' } });
    assert.deepEqual(await store.getSummary('run-1'), request.summary);
    assert.deepEqual(await store.getSnapshot('run-1'), { seq: 2, state: '{"at":2}' });
  },
  async 'never replaces a snapshot by an older one, and keeps none of a run that it does not have'({
    store,
  }) {
    await store.append(sampleRequest({ count: 5 }));
    await store.putSnapshot('run-1', { seq: 4, state: '{"at":4}' });
    await store.putSnapshot('run-1', { seq: 3, state: '{"at":3}' });
    assert.deepEqual(await store.getSnapshot('run-1'), { seq: 4, state: '{"at":4}' });
    await store.putSnapshot('nobody', { seq: 1, state: '{}' });
    assert.equal(await store.getSnapshot('nobody'), null);
  },
};

/** A repeat gets the recorded response and changes nothing. */
export const idempotencyCases: RunStoreCases = {
  async 'answers a repeat with the recorded response'({ store }) {
    assert.deepEqual(await store.append(keyedRequest()), ok(1));
    const repeat = keyedRequest({ response: 'another response' });
    assert.deepEqual(await store.append(repeat), duplicate);
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
    assert.deepEqual(await store.getRecorded('run-1', 'key-1'), {
      requestHash: 'hash-1',
      response: 'response-1',
    });
  },
  async 'looks at the key before the seq'({ store }) {
    await store.append(keyedRequest());
    await store.append(keyedRequest({ expectedSeq: 1, idempotencyKey: 'key-2' }));
    assert.deepEqual(await store.append(keyedRequest()), duplicate);
    const ahead = keyedRequest({ expectedSeq: 9 });
    assert.deepEqual(await store.append(ahead), duplicate);
  },
  async 'refuses another request under the same key'({ store }) {
    await store.append(keyedRequest());
    const other = keyedRequest({ expectedSeq: 1, requestHash: 'hash-2' });
    assert.deepEqual(await store.append(other), { mismatch: true });
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
  },
  async 'keeps the keys of each run apart'({ store }) {
    await store.append(keyedRequest());
    assert.deepEqual(await store.append(keyedRequest({ runId: 'run-2', requestHash: 'hash-2' })), ok(1));
  },
  async 'takes a key once within a scope that several runs share'({ store }) {
    const idempotencyScope = '["acme","ann"]';
    await store.append(keyedRequest({ idempotencyScope }));
    const repeat = keyedRequest({ idempotencyScope, runId: 'run-2', response: 'another response' });
    assert.deepEqual(await store.append(repeat), duplicate);
    assert.equal(await store.getSummary('run-2'), null);
    assert.equal(await store.getRecorded('run-1', 'key-1'), null);
  },
  async 'records nothing for a change that it refuses'({ store }) {
    assert.deepEqual(await store.append(keyedRequest({ expectedSeq: 4 })), conflict(0));
    assert.equal(await store.getRecorded('run-1', 'key-1'), null);
    assert.deepEqual(await store.append(keyedRequest({ requestHash: 'hash-2' })), ok(1));
  },
  async 'refuses a key without the hash of the request or without a response'({ store }) {
    const { requestHash, response, ...bare } = keyedRequest();
    await rejectsWith('STATE_ERROR', () => store.append({ ...bare, ...(requestHash && { requestHash }) }));
    await rejectsWith('STATE_ERROR', () => store.append({ ...bare, ...(response && { response }) }));
    assert.deepEqual(await store.load('run-1'), []);
  },
};

const AT_ONCE = 20;

type Append = (request: AppendRequest) => Promise<AppendResult>;

function atOnce(
  append: readonly Append[],
  request: (index: number) => AppendRequest,
): Promise<AppendResult[]> {
  const appends = Array.from({ length: AT_ONCE }, async (_, index) =>
    append[index % append.length]?.(request(index)),
  );
  return Promise.all(appends).then((results) => results.filter((result) => result !== undefined));
}

function count(results: readonly AppendResult[], kind: 'ok' | 'conflict' | 'duplicate'): number {
  return results.filter((result) => kind in result).length;
}

/** One append is one transaction, across stores on one database as well. */
export const concurrencyCases: RunStoreCases = {
  async 'lets one of twenty changes at once win'({ store }) {
    await store.append(sampleRequest());
    const results = await atOnce([(request) => store.append(request)], () =>
      sampleRequest({ expectedSeq: 1 }),
    );
    assert.equal(count(results, 'ok'), 1);
    assert.deepEqual(
      results.filter((result) => 'conflict' in result),
      Array(AT_ONCE - 1).fill(conflict(2)),
    );
    assert.deepEqual(await store.load('run-1'), sampleEvents(1, 2));
  },
  async 'lets one of twenty starts of a run win, over two stores'({ store, second }) {
    const other = await second();
    const appends: Append[] = [(request) => store.append(request), (request) => other.append(request)];
    const results = await atOnce(appends, () => sampleRequest({ count: 2 }));
    assert.equal(count(results, 'ok'), 1);
    assert.equal(count(results, 'conflict'), AT_ONCE - 1);
    assert.deepEqual(await other.load('run-1'), sampleEvents(1, 2));
  },
  async 'starts one run for twenty requests under one key, over two stores'({ store, second }) {
    const other = await second();
    const appends: Append[] = [(request) => store.append(request), (request) => other.append(request)];
    const results = await atOnce(appends, (index) =>
      keyedRequest({ idempotencyScope: 'starts', runId: `run-${index}`, response: `run-${index}` }),
    );
    assert.equal(count(results, 'ok'), 1);
    assert.equal(count(results, 'duplicate'), AT_ONCE - 1);
    const { runs } = await store.find({ tenant: 'acme', limit: 100 });
    assert.equal(runs.length, 1);
    const responses = results.flatMap((result) => ('duplicate' in result ? [result.response] : []));
    assert.deepEqual(new Set(responses), new Set(runs.map(({ runId }) => runId)));
  },
  async 'loses and doubles nothing when two stores append in turn and at once'({ store, second }) {
    const other = await second();
    await Promise.all(
      [store, other].map(async (appender, place) => appendOwn(appender.append.bind(appender), place)),
    );
    const notes = (await store.load('run-1')).map((event) => JSON.stringify(event.data));
    assert.equal(notes.length, 2 * AT_ONCE);
    assert.equal(new Set(notes).size, 2 * AT_ONCE);
    assert.deepEqual(
      (await other.load('run-1')).map(({ seq }) => seq),
      notes.map((_, index) => index + 1),
    );
  },
};

/** Appends events of its own, each as often as it takes. */
async function appendOwn(append: Append, place: number): Promise<void> {
  let expectedSeq = 0;
  for (let turn = 0; turn < AT_ONCE;) {
    const events = sampleEvents(expectedSeq + 1, 1, () => `store ${place}, turn ${turn}`);
    const result = await append(sampleRequest({ expectedSeq, events }));
    if ('ok' in result) turn += 1;
    expectedSeq = 'ok' in result ? result.seq : 'conflict' in result ? result.actualSeq : expectedSeq;
  }
}

const LONG = 60_000;
const SHORT = 5;

/** The bound is far beyond the end of a short lease. */
async function acquireSoon(store: RunStore, owner: string): Promise<number | null> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const fence = await store.acquireLease('run-1', owner, LONG);
    if (fence !== null) return fence;
    await sleep(SHORT);
  }
  return null;
}

/** One owner at a time, with a rising number for each lease. */
export const leaseCases: RunStoreCases = {
  async 'gives a lease to one owner at a time, also over two stores'({ store, second }) {
    const other = await second();
    assert.equal(typeof (await store.acquireLease('run-1', 'a', LONG)), 'number');
    assert.equal(await other.acquireLease('run-1', 'b', LONG), null);
    assert.equal(typeof (await other.acquireLease('run-2', 'b', LONG)), 'number');
  },
  async 'gives one of twenty owners the lease'({ store, second }) {
    const other = await second();
    const fences = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).acquireLease('run-1', `owner ${index}`, LONG),
      ),
    );
    assert.equal(fences.filter((fence) => fence !== null).length, 1);
  },
  async 'gives a higher number with every lease, released, ended or renewed'({ store }) {
    const fences: (number | null)[] = [await store.acquireLease('run-1', 'a', LONG)];
    await store.releaseLease('run-1', 'a');
    fences.push(await store.acquireLease('run-1', 'b', LONG));
    fences.push(await store.acquireLease('run-1', 'b', SHORT));
    fences.push(await acquireSoon(store, 'c'));
    const numbers = fences.filter((fence) => fence !== null);
    assert.equal(numbers.length, 4);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((left, right) => left - right),
    );
  },
  async 'goes on with its numbers after the run was purged'({ store }) {
    await startRuns(store, { runId: 'run-1', status: 'completed' });
    const before = await store.acquireLease('run-1', 'a', LONG);
    await store.releaseLease('run-1', 'a');
    assert.equal(await store.purge({ before: LATE }), 1);
    assert.ok(((await store.acquireLease('run-1', 'b', LONG)) ?? 0) > (before ?? 0));
  },
  async 'refuses a time that no lease can last'({ store }) {
    for (const ttl of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1e300]) {
      await rejectsWith('INVALID_PARAMS', () => store.acquireLease('run-1', 'a', ttl));
    }
    assert.equal(typeof (await store.acquireLease('run-1', 'b', 2 ** 52)), 'number');
    assert.equal(await store.acquireLease('run-1', 'a', 0.5), null);
  },
  async 'lets nobody release the lease of another owner'({ store }) {
    await store.acquireLease('run-1', 'a', LONG);
    await store.releaseLease('run-1', 'b');
    await store.releaseLease('run-2', 'b');
    assert.equal(await store.acquireLease('run-1', 'b', LONG), null);
  },
};
