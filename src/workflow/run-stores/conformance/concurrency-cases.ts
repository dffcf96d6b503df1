import assert from 'node:assert/strict';
import type { AppendRequest, AppendResult } from '../../application/ports/run-store.ts';
import type { CaseBody } from './conformance-case.ts';
import { keyedRequest, sampleEvents, sampleRequest } from './sample-run.ts';

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
export const concurrencyCases: readonly CaseBody[] = [
  {
    name: 'lets one of twenty changes at once win',
    async check({ store }) {
      await store.append(sampleRequest());
      const results = await atOnce([(request) => store.append(request)], () =>
        sampleRequest({ expectedSeq: 1 }),
      );
      assert.equal(count(results, 'ok'), 1);
      assert.deepEqual(
        results.filter((result) => 'conflict' in result),
        Array(AT_ONCE - 1).fill({
          conflict: true,
          actualSeq: 2,
        }),
      );
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 2));
    },
  },
  {
    name: 'lets one of twenty starts of a run win, over two stores',
    async check({ store, second }) {
      const other = await second();
      const appends: Append[] = [(request) => store.append(request), (request) => other.append(request)];
      const results = await atOnce(appends, () => sampleRequest({ count: 2 }));
      assert.equal(count(results, 'ok'), 1);
      assert.equal(count(results, 'conflict'), AT_ONCE - 1);
      assert.deepEqual(await other.load('run-1'), sampleEvents(1, 2));
    },
  },
  {
    name: 'starts one run for twenty requests under one key, over two stores',
    async check({ store, second }) {
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
  },
  {
    name: 'loses and doubles nothing when two stores append in turn and at once',
    async check({ store, second }) {
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
  },
];

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
