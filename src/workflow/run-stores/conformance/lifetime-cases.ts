import assert from 'node:assert/strict';
import type { RunStore } from '../../application/ports/run-store.ts';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { EARLY, keyedRequest, sampleEvents, sampleRequest } from './sample-run.ts';

function everything(store: RunStore): readonly (() => Promise<unknown>)[] {
  return [
    () => store.init(),
    () => store.append(sampleRequest()),
    () => store.load('run-1'),
    () => store.getSummary('run-1'),
    () => store.getSnapshot('run-1'),
    () => store.putSnapshot('run-1', { seq: 1, state: '{}' }),
    () => store.getRecorded('run-1', 'key-1'),
    () => store.find({ tenant: 'acme', limit: 1 }),
    () => store.findExpired(EARLY, 1),
    () => store.pinDefinition('sha256:0', '{}'),
    () => store.getDefinition('sha256:0'),
    () => store.acquireLease('run-1', 'a', 1),
    () => store.releaseLease('run-1', 'a'),
    () => store.keep('name', 'value'),
    () => store.exportRun('run-1'),
    () => store.purge({ before: EARLY }),
  ];
}

/** A store is opened, used and closed. */
export const lifetimeCases: readonly CaseBody[] = [
  {
    name: 'has everything again after it was closed and opened anew',
    async check({ store, reopen }) {
      await store.append(keyedRequest({ count: 3 }));
      await store.pinDefinition('sha256:0', '{}');
      await store.keep('name', 'value');
      const fence = await store.acquireLease('run-1', 'a', 60_000);
      await store.close();
      const again = await reopen();
      assert.deepEqual(await again.load('run-1'), sampleEvents(1, 3));
      assert.deepEqual(await again.append(keyedRequest()), { duplicate: true, response: 'response-1' });
      assert.deepEqual(await again.append(sampleRequest({ expectedSeq: 3 })), { ok: true, seq: 4 });
      assert.equal(await again.getDefinition('sha256:0'), '{}');
      assert.equal(await again.keep('name', 'other'), 'value');
      assert.equal(await again.acquireLease('run-1', 'b', 60_000), null);
      assert.ok(((await again.acquireLease('run-1', 'a', 60_000)) ?? 0) > (fence ?? 0));
    },
  },
  {
    name: 'can be opened more than once, also at the same time',
    async check({ store, second }) {
      await store.append(sampleRequest());
      await Promise.all([store.init(), store.init(), second(), second()]);
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
    },
  },
  {
    name: 'refuses everything after it was closed, except to be closed again',
    async check({ store }) {
      await store.close();
      for (const use of everything(store)) await rejectsWith('STORAGE_ERROR', use);
      await store.close();
    },
  },
  {
    name: 'ends what was begun before it is closed',
    async check({ store, reopen }) {
      const begun = store.append(sampleRequest({ count: 50 }));
      await store.close();
      const result = await begun;
      const again = await reopen();
      assert.deepEqual(result, { ok: true, seq: 50 });
      assert.deepEqual(await again.load('run-1'), sampleEvents(1, 50));
    },
  },
];
