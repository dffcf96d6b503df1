import assert from 'node:assert/strict';
import type { RunStore } from '../../application/ports/run-store.ts';
import type { CaseBody } from './conformance-case.ts';
import { rejectsWith } from './reject-with.ts';
import { EARLY, keyedRequest, sampleEvents, sampleRequest } from './sample-run.ts';

const ODD_TEXT = '\u2028\u2029 😀 e\u0301 \u00e9 \ufeff\u0000\ud800 "\\" \r\n\t % _ \' ; -- $1 ?1';
const LARGE = `${'0123456789abcdef😀'.repeat(16_384)}${ODD_TEXT}`;

/** As `JSON.stringify` would not write it, without what is no Unicode. */
const ODD_JSON = ` { "b" : 1.0, "a":"\u2028 😀 \\u0000 \\ud800",\n"b":2 }\r\n`;

/** Everything that asks for something by name. */
function lookups(store: RunStore, odd: string): readonly (() => Promise<unknown>)[] {
  const cursor = Buffer.from(JSON.stringify([EARLY, odd])).toString('base64url');
  return [
    () => store.load(odd),
    () => store.getSummary(odd),
    () => store.getSnapshot(odd),
    () => store.putSnapshot(odd, { seq: 1, state: '{}' }),
    () => store.getRecorded(odd, 'key-1'),
    () => store.getRecorded('run-1', odd),
    () => store.find({ tenant: 'acme', limit: 1, cursor }),
    () => store.getDefinition(odd),
    () => store.acquireLease(odd, 'a', 1),
    () => store.acquireLease('run-1', odd, 1),
    () => store.releaseLease(odd, 'a'),
    () => store.exportRun(odd),
  ];
}

/** What is put in comes out, byte for byte. */
export const bodyCases: readonly CaseBody[] = [
  {
    name: 'gives large and odd events back byte for byte',
    async check({ store }) {
      const context: unknown = JSON.parse('{"z":1,"10":2,"a":{"__proto__":{"x":1}},"2":[null,1e-7,-0.5]}');
      const [plain] = sampleEvents(1, 1, () => ODD_TEXT);
      const [large] = sampleEvents(2, 1, () => LARGE);
      assert.ok(plain && large);
      const merged = { ...plain, seq: 3, type: 'ContextMerged', data: { context } };
      const events = [plain, large, merged] as (typeof plain)[];
      await store.append(sampleRequest({ events, summary: { seq: 3, goal: ODD_TEXT } }));
      assert.equal(JSON.stringify(await store.load('run-1')), JSON.stringify(events));
      assert.equal((await store.getSummary('run-1'))?.goal, ODD_TEXT);
    },
  },
  {
    name: 'gives responses, snapshots, definitions and kept values back byte for byte',
    async check({ store }) {
      const large = `${ODD_JSON}${LARGE.replaceAll(/[\0\p{Surrogate}]/gu, '')}`;
      await store.append(keyedRequest({ response: large, snapshot: { seq: 1, state: ODD_JSON } }));
      await store.pinDefinition('sha256:1', large);
      assert.equal((await store.getRecorded('run-1', 'key-1'))?.response, large);
      assert.equal((await store.getSnapshot('run-1'))?.state, ODD_JSON);
      assert.equal(await store.getDefinition('sha256:1'), large);
      assert.equal(await store.keep('odd', ODD_JSON), ODD_JSON);
      assert.equal(await store.keep('empty', ''), '');
      assert.equal(await store.keep('empty', 'later'), '');
    },
  },
  {
    name: 'refuses text that a database would not give back, and keeps nothing of it',
    async check({ store }) {
      for (const odd of ['a\0b', '\ud800', '😀\udc00']) {
        await rejectsWith('INVALID_PARAMS', () => store.append(keyedRequest({ response: odd })));
        await rejectsWith('INVALID_PARAMS', () => store.append(sampleRequest({ summary: { tenant: odd } })));
        await rejectsWith('INVALID_PARAMS', () => store.pinDefinition('sha256:1', odd));
        await rejectsWith('INVALID_PARAMS', () => store.keep('odd', odd));
        await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: odd, limit: 1 }));
        for (const lookup of lookups(store, odd)) await rejectsWith('INVALID_PARAMS', lookup);
      }
      assert.deepEqual(await store.load('run-1'), []);
      assert.equal(await store.getDefinition('sha256:1'), null);
    },
  },
  {
    name: 'hands out copies that nobody else sees changed',
    async check({ store }) {
      const snapshot = { seq: 1, state: '{}' };
      const request = sampleRequest({ summary: { goal: 'mine' }, snapshot });
      await store.append(request);
      for (const event of await store.load('run-1')) Object.assign(event, { seq: 99 });
      Object.assign((await store.getSummary('run-1')) ?? {}, { goal: 'yours' });
      Object.assign((await store.getSnapshot('run-1')) ?? {}, { seq: 99 });
      Object.assign(request.summary, { goal: 'yours' });
      assert.deepEqual(await store.load('run-1'), sampleEvents(1, 1));
      assert.equal((await store.getSummary('run-1'))?.goal, 'mine');
      assert.deepEqual(await store.getSnapshot('run-1'), snapshot);
    },
  },
];
