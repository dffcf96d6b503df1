import { expect, test } from '@jest/globals';
import {
  newSession,
  subscribe,
  type SessionRecord,
} from '../../../../src/engine/revisions/2025/session-record.ts';
import { SessionsUnavailable, SharedRecords } from '../../../../src/engine/revisions/2025/shared-records.ts';
import { InMemoryStore } from '../../../../src/runtime/store/memory-store.ts';
import type { Store } from '../../../../src/runtime/store/store.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryLogger } from '../../../support/memory-logger.ts';

const LIFETIME = 30 * 60_000;
const ID = crypto.randomUUID();
const NEW = { record: newSession(ID, 'ann'), version: 0 };

function instances(count: number, secrets = ['a secret of all instances']) {
  const clock = new ManualClock();
  const now = (): number => clock.now();
  const store = new InMemoryStore({}, now);
  const state: { failure?: Promise<never>; isFull?: boolean } = {};
  const asked: string[] = [];
  const guarded: Store = {
    get: (...given) => {
      asked.push('get');
      return state.failure ?? store.get(...given);
    },
    put: (...given) => {
      asked.push('put');
      const [, , { share }] = given;
      const isBound = given[2].if === 'absent' || share?.bytes !== undefined;
      if (state.isFull === true && isBound) return Promise.resolve({ full: 'owner' });
      return state.failure ?? store.put(...given);
    },
    delete: (...given) => state.failure ?? store.delete(...given),
  };
  const logger = new MemoryLogger();
  const open = () => new SharedRecords(guarded, { server: 'app', secrets, logger, now });
  const all = Array.from({ length: count }, open);
  return { all, one: open(), clock, store, state, asked, logger };
}

const subscribed =
  (uri: string) =>
  (record: SessionRecord): SessionRecord =>
    subscribe(record, uri);

test('keeps the changes of all instances that change a session at once', async () => {
  const { all, one } = instances(8);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:first'));
  await Promise.all(
    all.map((each, index) => each.change(held, LIFETIME, subscribed(`memo:${String(index)}`))),
  );
  const { record } = (await one.load(ID, LIFETIME)) ?? {};
  const others = all.map((_, index) => `memo:${String(index)}`);
  expect([...(record?.subscriptions ?? [])].sort()).toEqual(['memo:first', ...others].sort());
});

test('never brings back a session that has ended', async () => {
  const { all, one, store } = instances(2);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:a'));
  await all[0]?.remove(ID);
  await expect(all[1]?.change(held, LIFETIME, subscribed('memo:b'))).rejects.toMatchObject({ code: -32001 });
  expect(await one.load(ID, LIFETIME, held)).toBeUndefined();
  expect(store.size).toBe(0);
});

test('asks once for each request, and opens only what has changed', async () => {
  const { one, all, asked } = instances(1);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:a'));
  asked.length = 0;
  expect(await one.load(ID, LIFETIME, held)).toBe(held);
  expect(asked).toEqual(['get']);
  await all[0]?.change(held, LIFETIME, subscribed('memo:b'));
  expect((await one.load(ID, LIFETIME, held))?.record.subscriptions).toEqual(['memo:a', 'memo:b']);
});

test('keeps a session for its lifetime after each request, and for a minute if none came', async () => {
  const { one, clock } = instances(0);
  await one.change(NEW, LIFETIME, subscribed('memo:a'));
  await clock.advance(59_000);
  expect(await one.load(ID, LIFETIME)).toBeDefined();
  await clock.advance(LIFETIME - 1);
  expect(await one.load(ID, LIFETIME)).toBeDefined();
  await clock.advance(LIFETIME);
  expect(await one.load(ID, LIFETIME)).toBeUndefined();
  const other = { ...NEW, record: newSession(crypto.randomUUID()) };
  await one.change(other, LIFETIME, subscribed('memo:a'));
  await clock.advance(60_000);
  expect(await one.load(other.record.id, LIFETIME)).toBeUndefined();
});

test('while its store fails, what is known here is good for 5 seconds', async () => {
  const { one, clock, state, logger } = instances(0);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:a'));
  await one.load(ID, LIFETIME);
  const failure = Promise.reject(new Error('down'));
  failure.catch(() => undefined);
  state.failure = failure;
  await clock.advance(100_000);
  expect(await one.load(ID, LIFETIME, held)).toBe(held);
  await expect(one.load(ID, LIFETIME)).rejects.toBeInstanceOf(SessionsUnavailable);
  await clock.advance(4999);
  expect(await one.load(ID, LIFETIME, held)).toBe(held);
  await clock.advance(1);
  await expect(one.load(ID, LIFETIME, held)).rejects.toBeInstanceOf(SessionsUnavailable);
  delete state.failure;
  expect(await one.load(ID, LIFETIME, held)).toBe(held);
  expect(logger.records.map(({ level, event }) => `${level} ${event}`)).toEqual([
    'error session.store-failed',
    'notice session.store-failed',
  ]);
});

test('while its store hangs, one request waits for it and the others do not', async () => {
  const { one, state, asked } = instances(0);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:a'));
  const failure = Promise.reject(new Error('down'));
  failure.catch(() => undefined);
  state.failure = failure;
  await one.load(ID, LIFETIME, held);
  let fail = (_: Error): void => undefined;
  state.failure = new Promise((_, reject) => (fail = reject));
  asked.length = 0;
  const probe = one.load(ID, LIFETIME, held);
  for (let count = 0; count < 5; count += 1) expect(await one.load(ID, LIFETIME, held)).toBe(held);
  expect(asked).toEqual(['get']);
  fail(new Error('no answer'));
  expect(await probe).toBe(held);
});

test('shows the store neither the id of a session nor what its client says', async () => {
  const { one, store } = instances(0);
  const shown: string[] = [];
  const { put } = store;
  store.put = (collection, key, write) => {
    shown.push(key, Buffer.from(write.value, 'base64url').toString('latin1'), write.value);
    return put.call(store, collection, key, write);
  };
  await one.change(NEW, LIFETIME, subscribed('memo:secret'));
  expect(shown.join(' ')).not.toMatch(new RegExp(`${ID}|ann|memo|app`));
});

test('takes a session of other secrets for an unknown one, and says so in the log', async () => {
  const { one, store } = instances(0);
  await one.change(NEW, LIFETIME, subscribed('memo:a'));
  const logger = new MemoryLogger();
  const other = new SharedRecords(store, { server: 'app', secrets: ['another secret'], logger });
  expect(await other.load(ID, LIFETIME)).toBeUndefined();
  expect(logger.records).toMatchObject([{ level: 'error', event: 'session.store-failed' }]);
});

test('an owner without room gets no new session and no new subscription, and nobody else is refused for that', async () => {
  const { one, state, logger } = instances(0);
  const held = await one.change(NEW, LIFETIME, subscribed('memo:a'));
  state.isFull = true;
  const other = { ...NEW, record: newSession(crypto.randomUUID(), 'ann') };
  for (const full of [other, held]) {
    const refused = one.change(full, LIFETIME, subscribed('memo:b'));
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('no room') });
    await expect(refused).rejects.toBeInstanceOf(SessionsUnavailable);
  }
  const { record } = await one.change(held, LIFETIME, (now) => ({ ...now, logLevel: 'error' }));
  expect(record).toMatchObject({ logLevel: 'error', subscriptions: ['memo:a'] });
  expect(logger.records).toEqual([]);
});
