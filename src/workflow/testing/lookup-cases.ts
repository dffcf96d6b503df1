import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { RunQuery, RunStore } from '../application/ports/run-store.ts';
import {
  type RunStoreCases,
  rejectsWith,
  EARLY,
  startRuns,
  keyedRequest,
  sampleEvents,
  sampleRequest,
  lookups,
} from './conformance-case.ts';

async function ids(store: RunStore, query: Partial<RunQuery>): Promise<readonly string[]> {
  const { runs } = await store.find({ tenant: 'acme', limit: 100, ...query });
  return runs.map(({ runId }) => runId);
}

/** Page after page; the bound ends a store whose cursor does not move. */
async function pages(store: RunStore, limit: number): Promise<readonly (readonly string[])[]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 50; page += 1) {
    const { runs, nextCursor } = await store.find({ tenant: 'acme', limit, ...(cursor && { cursor }) });
    found.push(runs.map(({ runId }) => runId));
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

/** Runs are found by their tenant and by what a query says. */
export const findCases: RunStoreCases = {
  async 'shows the runs of one tenant, and of one principal if asked'({ store }) {
    await startRuns(
      store,
      { runId: 'a' },
      { runId: 'b', principal: 'ben' },
      { runId: 'c', tenant: 'other' },
      { runId: 'd', tenant: 'ACME' },
    );
    assert.deepEqual(await ids(store, {}), ['a', 'b']);
    assert.deepEqual(await ids(store, { principal: 'ben' }), ['b']);
    assert.deepEqual(await ids(store, { tenant: 'other' }), ['c']);
    assert.deepEqual(await ids(store, { tenant: '', principal: 'ann' }), []);
  },
  async 'filters by status, workflow and time of the last change'({ store }) {
    await startRuns(
      store,
      { runId: 'a', status: 'blocked' },
      { runId: 'b', workflowId: 'review' },
      { runId: 'c', updatedAt: '2026-01-01T00:00:00.001Z' },
    );
    assert.deepEqual(await ids(store, { status: 'blocked' }), ['a']);
    assert.deepEqual(await ids(store, { workflowId: 'review', status: 'running' }), ['b']);
    assert.deepEqual(await ids(store, { updatedAfter: EARLY }), ['c']);
    assert.deepEqual(await ids(store, { updatedAfter: '2026-01-01T01:00:00+01:00' }), ['c']);
    assert.deepEqual(await ids(store, { updatedAfter: '2025-12-31T23:59:59Z' }), ['c', 'a', 'b']);
  },
  async 'finds text in goal and workflow, whatever its letter case, and takes no sign as a pattern'({
    store,
  }) {
    await startRuns(
      store,
      { runId: 'a', goal: 'Ship 100% of ÜBER_notes' },
      { runId: 'b', goal: 'ship 1000 of uber-notes', workflowId: 'notes-flow' },
      { runId: 'c', workflowId: 'notes-flow' },
      { runId: 'd', goal: "O'Brien \\ [x] *" },
    );
    const found: Readonly<Record<string, readonly string[]>> = {
      sHIP: ['a', 'b'],
      über: ['a'],
      '100%': ['a'],
      '%': ['a'],
      _: ['a'],
      NOTES: ['a', 'b', 'c'],
      'notes-FLOW': ['b', 'c'],
      "o'b": ['d'],
      '\\': ['d'],
      '*': ['d'],
      undefined: [],
      '': ['a', 'b', 'c', 'd'],
    };
    for (const [text, expected] of Object.entries(found)) {
      assert.deepEqual(await ids(store, { text }), expected, `the text ${JSON.stringify(text)}`);
    }
  },
  async 'shows the latest change first, then by id, page by page'({ store }) {
    const times = ['2026-01-02', '2026-01-03', '2026-01-01'].map((day) => `${day}T00:00:00.000Z`);
    const runs = ['B', 'a', 'C', 'b', 'A', 'c', 'd'].map((runId, index) => ({
      runId,
      updatedAt: times[index % times.length] ?? EARLY,
    }));
    await startRuns(store, ...runs);
    const expected = ['A', 'a', 'B', 'b', 'd', 'C', 'c'];
    for (const limit of [1, 2, 3, 6, 7, 100]) {
      const found = await pages(store, limit);
      assert.deepEqual(found.flat(), expected);
      assert.equal(found.length, Math.ceil(expected.length / limit));
    }
  },
  async 'goes on after a page although the run that ended it has changed or is gone'({ store }) {
    await startRuns(store, { runId: 'a' }, { runId: 'b', status: 'completed' }, { runId: 'c' });
    const { nextCursor } = await store.find({ tenant: 'acme', limit: 2 });
    assert.ok(nextCursor !== undefined);
    assert.equal(await store.purge({ before: '2026-01-02T00:00:00.000Z' }), 1);
    assert.deepEqual(await ids(store, { cursor: nextCursor }), ['c']);
  },
  async 'refuses a limit, a time and a cursor that are none'({ store }) {
    for (const limit of [0, -1, 101, 1.5, Number.NaN]) {
      await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: 'acme', limit }));
    }
    for (const cursor of ['', 'x', 'bnVsbA', 'WzEsMl0', 'WyJub3ciLCJhIl0']) {
      await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: 'acme', limit: 1, cursor }));
    }
    await rejectsWith('INVALID_PARAMS', () => store.find({ tenant: 'acme', limit: 1, updatedAfter: 'soon' }));
  },
};

const ODD_TEXT = '\u2028\u2029 😀 e\u0301 \u00e9 \ufeff\u0000\ud800 "\\" \r\n\t % _ \' ; -- $1 ?1';
const LARGE = `${'0123456789abcdef😀'.repeat(16_384)}${ODD_TEXT}`;

/** As `JSON.stringify` would not write it, without what is not Unicode. */
const ODD_JSON = ` { "b" : 1.0, "a":"\u2028 😀 \\u0000 \\ud800",\n"b":2 }\r\n`;

/** What is put in comes out, byte for byte. */
export const bodyCases: RunStoreCases = {
  async 'gives large and odd events back byte for byte'({ store }) {
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
  async 'gives responses, snapshots, definitions and kept values back byte for byte'({ store }) {
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
  async 'refuses text that a database would not give back, and keeps nothing of it'({ store }) {
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
  async 'hands out copies that nobody else sees changed'({ store }) {
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
};

/** Random, as a database may compress what is not. */
function nameOf(length: number): string {
  return randomBytes(length).toString('hex').slice(0, length);
}

/** Names go into indexes, which have no room for any text. */
export const nameCases: RunStoreCases = {
  async 'keeps the longest names'({ store }) {
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
  async 'refuses longer ones, in bytes, and keeps nothing of them'({ store }) {
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
};

/** What is kept once stays as it is. */
export const definitionCases: RunStoreCases = {
  async 'keeps a definition once per hash and never changes it'({ store, second }) {
    const other = await second();
    await store.pinDefinition('sha256:1', '{"id":"first"}');
    await other.pinDefinition('sha256:1', '{"id":"second"}');
    await other.pinDefinition('sha256:2', '{"id":"third"}');
    assert.equal(await other.getDefinition('sha256:1'), '{"id":"first"}');
    assert.equal(await store.getDefinition('sha256:2'), '{"id":"third"}');
    assert.equal(await store.getDefinition('sha256:3'), null);
  },
  async 'keeps the first value under a name and gives it to everybody'({ store, second }) {
    const other = await second();
    const values = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).keep('key', `value ${index}`),
      ),
    );
    assert.equal(new Set(values).size, 1);
    assert.equal(await store.keep('schema_version', 'mine'), 'mine');
    assert.equal(await other.keep('other', 'mine'), 'mine');
  },
};
