import assert from 'node:assert/strict';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { keyedRequest, sampleEvents } from './sample-run.ts';

/** A repeat gets the recorded response and changes nothing. */
export const idempotencyCases: readonly CaseBody[] = [
  {
    name: 'answers a repeat with the recorded response',
    async check({ store }) {
      assert.deepEqual(await store.append(keyedRequest()), { ok: true, seq: 1 });
      const repeat = keyedRequest({ response: 'another response' });
      assert.deepEqual(await store.append(repeat), { duplicate: true, response: 'response-1' });
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
      assert.deepEqual(await store.getRecorded('run-1', 'key-1'), {
        requestHash: 'hash-1',
        response: 'response-1',
      });
    },
  },
  {
    name: 'looks at the key before the seq',
    async check({ store }) {
      await store.append(keyedRequest());
      await store.append(keyedRequest({ expectedSeq: 1, idempotencyKey: 'key-2' }));
      assert.deepEqual(await store.append(keyedRequest()), { duplicate: true, response: 'response-1' });
      const ahead = keyedRequest({ expectedSeq: 9 });
      assert.deepEqual(await store.append(ahead), { duplicate: true, response: 'response-1' });
    },
  },
  {
    name: 'refuses another request under the same key',
    async check({ store }) {
      await store.append(keyedRequest());
      const other = keyedRequest({ expectedSeq: 1, requestHash: 'hash-2' });
      assert.deepEqual(await store.append(other), { mismatch: true });
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
    },
  },
  {
    name: 'keeps the keys of each run apart',
    async check({ store }) {
      await store.append(keyedRequest());
      assert.deepEqual(await store.append(keyedRequest({ runId: 'run-2', requestHash: 'hash-2' })), {
        ok: true,
        seq: 1,
      });
    },
  },
  {
    name: 'takes a key once within a scope that several runs share',
    async check({ store }) {
      const idempotencyScope = '["acme","ann"]';
      await store.append(keyedRequest({ idempotencyScope }));
      const repeat = keyedRequest({ idempotencyScope, runId: 'run-2', response: 'another response' });
      assert.deepEqual(await store.append(repeat), { duplicate: true, response: 'response-1' });
      assert.equal(await store.getSummary('run-2'), null);
      assert.equal(await store.getRecorded('run-1', 'key-1'), null);
    },
  },
  {
    name: 'records nothing for a change that it refuses',
    async check({ store }) {
      assert.deepEqual(await store.append(keyedRequest({ expectedSeq: 4 })), {
        conflict: true,
        actualSeq: 0,
      });
      assert.equal(await store.getRecorded('run-1', 'key-1'), null);
      assert.deepEqual(await store.append(keyedRequest({ requestHash: 'hash-2' })), { ok: true, seq: 1 });
    },
  },
  {
    name: 'refuses a key without the hash of the request or without a response',
    async check({ store }) {
      const { requestHash, response, ...bare } = keyedRequest();
      await rejectsWith('STATE_ERROR', () => store.append({ ...bare, ...(requestHash && { requestHash }) }));
      await rejectsWith('STATE_ERROR', () => store.append({ ...bare, ...(response && { response }) }));
      assert.deepEqual(await store.load('run-1'), []);
    },
  },
];
