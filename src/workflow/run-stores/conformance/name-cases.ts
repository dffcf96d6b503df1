import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { keyedRequest, sampleRequest } from './sample-run.ts';

/** Random, as a database may compress what is not. */
function nameOf(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** Names go into indexes, which have no room for any text. */
export const nameCases: readonly CaseBody[] = [
  {
    name: 'keeps the longest names',
    async check({ store }) {
      const [runId, tenant, principal] = [nameOf(256), nameOf(256), nameOf(1024)];
      const [idempotencyScope, idempotencyKey] = [nameOf(2048), nameOf(256)];
      const summary = { tenant, principal, workflowId: nameOf(256) };
      await store.append(keyedRequest({ runId, idempotencyScope, idempotencyKey, summary }));
      await store.pinDefinition(nameOf(256), '{}');
      await store.keep(nameOf(256), 'value');
      await store.acquireLease(runId, 'a', 60_000);
      const { runs } = await store.find({ tenant, principal, limit: 1 });
      assert.deepEqual(
        runs.map((run) => run.runId),
        [runId],
      );
      const recorded = await store.getRecorded(idempotencyScope, idempotencyKey);
      assert.equal(recorded?.response, 'response-1');
    },
  },
  {
    name: 'refuses longer ones, in bytes, and keeps nothing of them',
    async check({ store }) {
      const refused = [
        sampleRequest({ runId: nameOf(257) }),
        sampleRequest({ summary: { tenant: `\u00e9${nameOf(255)}` } }),
        sampleRequest({ summary: { principal: nameOf(1025) } }),
        sampleRequest({ summary: { workflowId: nameOf(257) } }),
        keyedRequest({ idempotencyScope: nameOf(2049) }),
        keyedRequest({ idempotencyKey: nameOf(257) }),
      ];
      for (const request of refused) await rejectsWith('INVALID_PARAMS', () => store.append(request));
      await rejectsWith('INVALID_PARAMS', () => store.pinDefinition(nameOf(257), '{}'));
      await rejectsWith('INVALID_PARAMS', () => store.keep(nameOf(257), ''));
      await rejectsWith('INVALID_PARAMS', () => store.acquireLease(nameOf(257), 'a', 1));
      assert.deepEqual(await store.load('run-1'), []);
    },
  },
];
