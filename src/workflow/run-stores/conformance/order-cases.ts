import assert from 'node:assert/strict';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { sampleEvents, sampleRequest } from './sample-run.ts';

/** Events of a run go 1, 2, 3 and so on, whoever appends them. */
export const orderCases: readonly CaseBody[] = [
  {
    name: 'gives events back in their order',
    async check({ store }) {
      assert.deepEqual(await store.append(sampleRequest({ count: 3 })), { ok: true, seq: 3 });
      assert.deepEqual(await store.append(sampleRequest({ expectedSeq: 3, count: 1200 })), {
        ok: true,
        seq: 1203,
      });
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1203));
    },
  },
  {
    name: 'gives the events from a seq on',
    async check({ store }) {
      await store.append(sampleRequest({ count: 12 }));
      assert.deepEqual(await store.load('run-1', 9), sampleEvents(9, 4));
      assert.deepEqual(await store.load('run-1', 13), []);
    },
  },
  {
    name: 'knows nothing of a run that was not started',
    async check({ store }) {
      assert.deepEqual(await store.load('nobody'), []);
      assert.equal(await store.getSummary('nobody'), null);
      assert.equal(await store.getSnapshot('nobody'), null);
      assert.equal(await store.exportRun('nobody'), null);
    },
  },
  {
    name: 'refuses events with a gap, a repeat or another beginning',
    async check({ store }) {
      const wrong = [[2], [1, 3], [1, 1], [2, 1], [0], []];
      for (const seqs of wrong) {
        const events = seqs.flatMap((seq) => sampleEvents(seq, 1));
        const summary = { seq: seqs.length };
        await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ events, summary })));
      }
      assert.deepEqual(await store.load('run-1'), []);
    },
  },
  {
    name: 'refuses a summary of another run or another seq',
    async check({ store }) {
      await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ summary: { runId: 'run-2' } })));
      await rejectsWith('STATE_ERROR', () => store.append(sampleRequest({ summary: { seq: 2 } })));
      assert.equal(await store.getSummary('run-1'), null);
    },
  },
  {
    name: 'answers a change that expects another seq with the actual one and appends nothing',
    async check({ store }) {
      await store.append(sampleRequest({ count: 2 }));
      const conflict = { conflict: true, actualSeq: 2 };
      for (const expectedSeq of [0, 1, 3]) {
        const request = sampleRequest({ expectedSeq, count: 2, summary: { goal: 'lost' } });
        assert.deepEqual(await store.append(request), conflict);
      }
      assert.deepEqual(await store.append(sampleRequest({ runId: 'run-2', expectedSeq: 1 })), {
        conflict: true,
        actualSeq: 0,
      });
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 2));
      assert.equal((await store.getSummary('run-1'))?.goal, undefined);
    },
  },
  {
    name: 'keeps the summary and the snapshot of the last change',
    async check({ store }) {
      await store.append(
        sampleRequest({ summary: { goal: 'first' }, snapshot: { seq: 1, state: '{"at":1}' } }),
      );
      const request = sampleRequest({ expectedSeq: 1, summary: { goal: 'second', status: 'blocked' } });
      await store.append({ ...request, snapshot: { seq: 2, state: '{"at":2}' } });
      assert.deepEqual(await store.getSummary('run-1'), request.summary);
      assert.deepEqual(await store.getSnapshot('run-1'), { seq: 2, state: '{"at":2}' });
    },
  },
  {
    name: 'never replaces a snapshot by an older one, and keeps none of a run that it does not have',
    async check({ store }) {
      await store.append(sampleRequest({ count: 5 }));
      await store.putSnapshot('run-1', { seq: 4, state: '{"at":4}' });
      await store.putSnapshot('run-1', { seq: 3, state: '{"at":3}' });
      assert.deepEqual(await store.getSnapshot('run-1'), { seq: 4, state: '{"at":4}' });
      await store.putSnapshot('nobody', { seq: 1, state: '{}' });
      assert.equal(await store.getSnapshot('nobody'), null);
    },
  },
];
