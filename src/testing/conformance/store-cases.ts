import assert from 'node:assert/strict';
import type { Store, StoreEntry, StoreWrite, StoreWritten } from '../../index.ts';
import type { ConformanceCase } from '../../shared/conformance-case.ts';
import {
  atOnce,
  expectApart,
  expectForgotten,
  expectLifetime,
  expectRenewal,
  expectTexts,
  expectTime,
  portConformance,
  type MakePort,
  type PortCases,
} from './trial.ts';

const LONG = 60_000;
const OWNER = 'o'.repeat(22);
const OTHER = 'p'.repeat(22);

const write = (value: string, more: Partial<StoreWrite> = {}): StoreWrite => ({ value, ttl: LONG, ...more });

const put = (store: Store, key: string, value: string, more?: Partial<StoreWrite>): Promise<StoreWritten> =>
  store.put('a', key, write(value, more));

/** The version of what was written. */
function versionOf(written: StoreWritten): number {
  assert.ok('version' in written, `refused: ${JSON.stringify(written)}`);
  return written.version;
}

/** What was in the way of a write. */
function refusal(written: StoreWritten): StoreEntry | undefined {
  assert.ok('refused' in written, `not refused: ${JSON.stringify(written)}`);
  return written.refused;
}

function isWritten(written: StoreWritten): boolean {
  return 'version' in written;
}

async function valueOf(store: Store, key: string, collection = 'a'): Promise<string | undefined> {
  return (await store.get(collection, key))?.value;
}

/** Adds a word to a value, as often as it takes. */
async function addWord(store: Store, word: string): Promise<void> {
  let found = await store.get('a', 'a');
  for (;;) {
    const written = await put(store, 'a', `${found?.value ?? ''} ${word}`, {
      if: found?.version ?? 'absent',
    });
    if (isWritten(written)) return;
    found = refusal(written);
  }
}

const PAIRS = 20;

/** Writes each of some keys twice at once. */
async function race(port: Store, other: Store, round: number): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, async (_, index) => {
    const key = `pair ${String(round)} ${String(index)}`;
    const written = await Promise.all([
      put(port, key, 'one', { if: 'absent' }),
      put(other, key, 'two', { if: 'absent' }),
    ]);
    const won = written.findIndex(isWritten);
    const lost = written[1 - won];
    assert.ok(lost !== undefined && !isWritten(lost), `${key} was put twice, or not at all`);
    const { value, version } = refusal(lost) ?? {};
    const winner = { value: ['one', 'two'][won], version: versionOf(written[won] as StoreWritten) };
    assert.deepEqual({ value, version }, winner, 'the refusal has another entry than that of the winner');
  });
  await Promise.all(pairs);
}

const CASES: PortCases<Store> = {
  async 'says the same time to all instances'(trial) {
    await expectTime(trial);
  },
  async 'gives back what was put, the last of what was put under one key'({ port, second }) {
    assert.equal(await port.get('a', 'a'), undefined);
    const first = versionOf(await put(port, 'a', 'first'));
    for (let read = 0; read < 2; read += 1) {
      const entry = await (await second()).get('a', 'a');
      assert.deepEqual(entry, { value: 'first', version: first, holdLeft: 0 });
    }
    const next = versionOf(await put(port, 'a', 'second'));
    assert.ok(next > first, `${String(next)} comes after ${String(first)}`);
    assert.deepEqual(await (await second()).get('a', 'a'), { value: 'second', version: next, holdLeft: 0 });
  },
  async 'puts for absent where there is nothing, and else gives the present entry'({ port, second }) {
    const version = versionOf(await put(port, 'a', 'first', { if: 'absent', hold: 0 }));
    const found = refusal(await put(await second(), 'a', 'second', { if: 'absent' }));
    assert.deepEqual(found, { value: 'first', version, holdLeft: 0 });
    assert.equal(await valueOf(port, 'a'), 'first');
  },
  async 'gives a key to one of two at once, a thousand times, and shows the other one its entry'(trial) {
    const other = await trial.second();
    for (let round = 0; round < 1000 / PAIRS; round += 1) await race(trial.port, other, round);
  },
  async 'puts for absent one of many at once'(trial) {
    const written = await atOnce(trial, (store, index) =>
      put(store, 'a', `value ${String(index)}`, { if: 'absent' }),
    );
    assert.equal(written.filter(isWritten).length, 1, 'of 20');
    assert.equal(await valueOf(trial.port, 'a'), `value ${String(written.findIndex(isWritten))}`);
  },
  async 'puts in place of a version, and of no other'({ port }) {
    assert.equal(refusal(await put(port, 'a', 'nobody', { if: 1 })), undefined);
    assert.equal(await port.get('a', 'a'), undefined);
    const first = versionOf(await put(port, 'a', 'first'));
    const wrong = refusal(await put(port, 'a', 'other', { if: first + 1 }));
    assert.deepEqual(wrong, { value: 'first', version: first, holdLeft: 0 });
    const next = versionOf(await put(port, 'a', 'second', { if: first }));
    assert.ok(next > first, `${String(next)} comes after ${String(first)}`);
    assert.equal(refusal(await put(port, 'a', 'third', { if: first }))?.value, 'second');
    assert.equal(await valueOf(port, 'a'), 'second');
  },
  async 'puts one of many at once in place of a version'(trial) {
    const first = versionOf(await put(trial.port, 'a', 'first'));
    const written = await atOnce(trial, (store, index) =>
      put(store, 'a', `value ${String(index)}`, { if: first }),
    );
    assert.equal(written.filter(isWritten).length, 1, 'of 20');
    assert.equal(await valueOf(trial.port, 'a'), `value ${String(written.findIndex(isWritten))}`);
  },
  async 'loses no change where each is made to what is there'(trial) {
    await atOnce(trial, (store, index) => addWord(store, String(index)));
    const value = (await valueOf(trial.port, 'a')) ?? '';
    assert.equal(value.trim().split(' ').length, 20);
  },
  async 'gives a key greater versions, also after it was forgotten'(trial) {
    const { port } = trial;
    const versions = [versionOf(await put(port, 'a', 'first', { if: 'absent' }))];
    versions.push(versionOf(await put(port, 'a', '', { if: versions[0] ?? 0, ttl: 0 })));
    versions[1] = versionOf(await put(await trial.second(), 'a', 'second', { if: 'absent' }));
    await port.delete('a', 'a');
    versions.push(versionOf(await put(port, 'a', 'third', { if: 'absent', ttl: 20 })));
    for (const pause of [20, 200, 2000]) {
      await trial.pass(pause);
      const written = await put(await trial.second(), 'a', 'fourth', { if: 'absent' });
      if (!isWritten(written)) continue;
      versions.push(versionOf(written));
      break;
    }
    const sorted = [...new Set(versions)].sort((left, right) => left - right);
    assert.deepEqual(versions, sorted);
    assert.equal(versions.length, 4, 'the third value was not forgotten');
  },
  async 'says what is left of a hold'(trial) {
    const { port } = trial;
    const start = trial.now();
    const version = versionOf(await put(port, 'a', 'first', { hold: 30_000 }));
    const { holdLeft = -1, ...others } = (await (await trial.second()).get('a', 'a')) ?? {};
    const passed = trial.now() - start;
    assert.deepEqual(others, { value: 'first', version });
    // A clock may be a little faster than another one
    const least = trial.isExact ? 30_000 : 29_900 - passed;
    assert.ok(holdLeft <= 30_000 && holdLeft >= least, `${String(holdLeft)} ms of 30000 are left`);
    const refused = refusal(await put(port, 'a', 'second', { if: 'absent' }));
    assert.ok((refused?.holdLeft ?? 0) > 0, 'a refusal says nothing of the hold');
  },
  async 'lets a holder write as long as its hold lasts, and keeps what it has written'(trial) {
    const { port } = trial;
    const versions = new Map<string, number>();
    await expectLifetime(trial, {
      begin: async (key, hold) => versions.set(key, versionOf(await put(port, key, 'first', { hold }))),
      isThere: async (key) =>
        isWritten(await put(port, key, 'second', { if: { held: versions.get(key) ?? 0 } })),
    });
    const free = versionOf(await put(port, 'a', 'first', { hold: 0 }));
    assert.equal(refusal(await put(port, 'a', 'second', { if: { held: free } }))?.value, 'first');
    const held = versionOf(await put(port, 'b', 'first', { hold: LONG }));
    assert.equal(refusal(await put(port, 'b', 'second', { if: { held: held + 1 } }))?.value, 'first');
    assert.equal(refusal(await put(port, 'c', 'nobody', { if: { held: 1 } })), undefined);
  },
  async 'lets a version stay where its holder goes on writing'({ port }) {
    const first = versionOf(await put(port, 'a', 'first', { hold: LONG }));
    const stays = { if: { held: first }, hold: LONG, renumber: false } as const;
    for (const value of ['second', 'third']) {
      assert.equal(versionOf(await put(port, 'a', value, stays)), first);
      assert.equal(await valueOf(port, 'a'), value);
    }
    const last = versionOf(await put(port, 'a', 'last', { if: first }));
    assert.ok(last > first, 'it can still be written by the version that it had');
    assert.ok(!isWritten(await put(port, 'a', 'late', stays)));
  },
  async 'begins hold and lifetime again with each write'(trial) {
    const versions = new Map<string, number>();
    await expectRenewal(trial, {
      begin: async (key, time) =>
        versions.set(key, versionOf(await put(trial.port, key, '', { hold: time, ttl: time }))),
      isThere: async (key, time) => {
        const renewal = { if: { held: versions.get(key) ?? 0 }, hold: time, ttl: time, renumber: false };
        return isWritten(await put(trial.port, key, '', renewal as Partial<StoreWrite>));
      },
    });
  },
  async 'forgets a value when its time is over, and not before'(trial) {
    await expectLifetime(trial, {
      begin: (key, ttl) => put(trial.port, key, 'first', { ttl }),
      isThere: async (key) => (await trial.port.get('a', key)) !== undefined,
    });
    const versions = new Map<string, number>();
    await expectLifetime(trial, {
      begin: async (key, ttl) =>
        versions.set(key, versionOf(await put(trial.port, `by version ${key}`, 'first', { ttl }))),
      isThere: async (key) =>
        isWritten(await put(trial.port, `by version ${key}`, 'second', { if: versions.get(key) ?? 0 })),
    });
  },
  async 'has the lifetime of what was put last'(trial) {
    for (const factor of [0.1, 1000]) {
      const name = (key: string): string => `${String(factor)} ${key}`;
      await expectLifetime(trial, {
        begin: async (key, ttl) => {
          await put(trial.port, name(key), 'first', { ttl: ttl * factor });
          await put(trial.port, name(key), 'second', { ttl });
        },
        isThere: async (key) => (await trial.port.get('a', name(key))) !== undefined,
      });
    }
  },
  async 'changes nothing about an entry that refuses a write, or is read'(trial) {
    await expectLifetime(trial, {
      begin: async (key, ttl) => {
        const version = versionOf(await put(trial.port, key, 'first', { ttl }));
        await put(trial.port, key, 'second', { if: 'absent' });
        await put(trial.port, key, 'second', { if: version + 1 });
        await trial.port.get('a', key);
      },
      isThere: async (key) => (await trial.port.get('a', key)) !== undefined,
    });
  },
  async 'begins a lifetime again where a read says so'(trial) {
    await expectRenewal(trial, {
      begin: (key, ttl) => put(trial.port, key, 'first', { ttl }),
      isThere: async (key, keep) => (await trial.port.get('a', key, { keep })) !== undefined,
    });
  },
  async 'forgets a value without a lifetime at once'({ port }) {
    const version = versionOf(await put(port, 'a', 'first', { hold: LONG }));
    assert.ok(isWritten(await put(port, 'a', '', { if: version, ttl: 0 })));
    assert.equal(await port.get('a', 'a'), undefined);
    for (const condition of [version, { held: version }] as const)
      assert.equal(refusal(await put(port, 'a', 'late', { if: condition })), undefined);
    await put(port, 'a', 'second', { if: 'absent' });
    await put(port, 'a', '', { ttl: 0 });
    assert.equal(await port.get('a', 'a'), undefined);
  },
  async 'lets nothing bring back what was removed'({ port, second }) {
    const version = versionOf(await put(port, 'a', 'first'));
    await put(port, 'other', 'stays');
    assert.equal(await port.delete('a', 'a', version + 1), false);
    assert.equal(await valueOf(port, 'a'), 'first');
    assert.equal(await port.delete('a', 'a', version), true);
    assert.equal(await port.delete('a', 'a'), false);
    assert.equal(await (await second()).get('a', 'a'), undefined);
    assert.ok(!isWritten(await put(port, 'a', 'late', { if: version })));
    assert.equal(await port.get('a', 'a'), undefined);
    assert.equal(await valueOf(port, 'other'), 'stays');
    await put(port, 'a', 'next');
    assert.equal(await port.delete('a', 'a'), true);
  },
  async 'has one entry for a key, of any owner'({ port }) {
    await put(port, 'a', 'first', { if: 'absent', share: { owner: 'ann' } });
    const found = refusal(await put(port, 'a', 'second', { if: 'absent', share: { owner: 'bob' } }));
    assert.equal(found?.value, 'first');
    await put(port, 'a', 'third', { share: { owner: 'bob' } });
    assert.equal(await valueOf(port, 'a'), 'third');
  },
  async 'gives no owner more bytes than a write allows'(trial) {
    const { port } = trial;
    const other = await trial.second();
    const large = (owner: string, ttl = LONG): StoreWrite =>
      write('x'.repeat(10_000), { ttl, share: { owner, bytes: 25_000 } });
    const fill = (store: Store, key: string): Promise<StoreWritten> => store.put('a', key, large(OWNER));
    for (const key of ['1', '2']) versionOf(await fill(port, `${OWNER}.${key}`));
    assert.deepEqual(await fill(other, `${OWNER}.3`), { full: 'owner' });
    assert.equal(await port.get('a', `${OWNER}.3`), undefined, 'what was refused is there');
    versionOf(await fill(other, `${OWNER}.2`));
    versionOf(await other.put('a', `${OTHER}.1`, large(OTHER)));
    versionOf(await port.put('b', `${OWNER}.1`, large(OWNER)));
    const grown = { value: 'x'.repeat(20_000), ttl: LONG, share: { owner: OWNER, bytes: 25_000 } };
    const { version = 0 } = (await port.get('a', `${OWNER}.2`)) ?? {};
    assert.deepEqual(await port.put('a', `${OWNER}.2`, { ...grown, if: version }), { full: 'owner' });
    await port.delete('a', `${OWNER}.1`);
    versionOf(await fill(other, `${OWNER}.3`));
    await port.put('a', `${OWNER}.2`, { value: '', ttl: 0 });
    versionOf(await port.put('a', `${OWNER}.4`, large(OWNER, 200)));
    for (const pause of [200, 1000, 2000]) {
      await trial.pass(pause);
      if (isWritten(await fill(port, `${OWNER}.5`))) return;
    }
    assert.fail('what is over takes its space still');
  },
  async 'gives no owner more bytes than a write allows, of many at once'(trial) {
    const share = { owner: OWNER, bytes: 25_000 };
    const written = await atOnce(trial, (store, index) =>
      put(store, `${OWNER}.${String(index)}`, 'x'.repeat(10_000), { if: 'absent', share }),
    );
    assert.equal(written.filter(isWritten).length, 2, 'of 20 had room');
  },
  async 'counts for its owner what is kept for longer'(trial) {
    const { port } = trial;
    const share = { owner: OWNER, bytes: 25_000 };
    const text = 'x'.repeat(20_000);
    versionOf(await put(port, `${OWNER}.1`, text, { if: 'absent', ttl: 300, share }));
    assert.ok(await port.get('a', `${OWNER}.1`, { keep: LONG }));
    await trial.pass(600);
    assert.deepEqual(await put(port, `${OWNER}.2`, text, { if: 'absent', share }), { full: 'owner' });
  },
  async 'keeps keys apart'({ port }) {
    await expectApart(
      (key, value) => put(port, key, value),
      (key) => valueOf(port, key),
    );
  },
  async 'keeps collections apart'({ port }) {
    for (const collection of ['a', 'b', 'a:b']) await port.put(collection, 'b', write(collection));
    for (const collection of ['a', 'b', 'a:b'])
      assert.equal(await valueOf(port, 'b', collection), collection);
    await port.delete('a', 'b');
    assert.equal(await valueOf(port, 'b', 'b'), 'b');
  },
  async 'gives back any text as it was'({ port }) {
    await expectTexts(
      (key, value) => put(port, key, value),
      (key) => valueOf(port, key),
    );
  },
  async 'forgets what belongs to one owner, and nothing else'({ port, second }) {
    if (port.forget === undefined) return;
    const inOne = (store: Store): { forget(owner: string): Promise<number> } => ({
      forget: async (owner) => store.forget?.('a', owner) ?? 0,
    });
    const kept = `${'a'.repeat(22)}.1`;
    await port.put('b', kept, write('kept'));
    await expectForgotten(
      { port: inOne(port), second: async () => inOne(await second()) },
      (key) => put(port, key, key),
      async (key) => (await valueOf(port, key)) === key,
    );
    assert.equal(await valueOf(port, kept, 'b'), 'kept', 'another collection was forgotten');
    // It may be put again, by a version that it did not have
    const first = versionOf(await put(port, kept, 'first', { if: 'absent' }));
    await port.forget('a', 'a'.repeat(22));
    const next = versionOf(await put(port, kept, 'second', { if: 'absent' }));
    assert.ok(next > first, 'a version was given twice');
  },
};

/**
 * What every {@link Store} has to do, as cases for any test runner.
 *
 * @example
 * for (const { name, run } of storeConformance(() => ({ port: new InMemoryStore() }))) test(name, run);
 */
export function storeConformance(make: MakePort<Store>): readonly ConformanceCase[] {
  return portConformance(CASES, make);
}
