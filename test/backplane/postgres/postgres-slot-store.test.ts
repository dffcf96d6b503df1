import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import type { SlotRequest, SlotStore } from 'toolwright';
import { until, usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

const slot = (key: string, facts: Partial<SlotRequest> = {}): SlotRequest => ({
  key,
  limit: 1,
  queueSize: 0,
  queueTimeout: 0,
  ...facts,
});
const queued = (key: string, queueSize = 10): SlotRequest => slot(key, { queueSize, queueTimeout: 60_000 });
const noSignal = (): undefined => undefined;

/** Two instances of one application. */
async function openTwo() {
  const app = randomUUID();
  const [one, other] = [await database.open(app), await database.open(app)];
  const waits = async (count: number): Promise<boolean> => {
    const rows = await database.run('SELECT DISTINCT holder FROM OWN.slot_waits WHERE app = $1', [app]);
    return rows.length === count;
  };
  return { app, one: one.slots, other: other.slots, waits };
}

const take = async (store: SlotStore, ...wanted: readonly SlotRequest[]) => store.take(wanted, noSignal);
/** What gives a slot back resolves when it is done. */
const give = async (release: (() => void) | undefined): Promise<void> => {
  await (release?.() as unknown as Promise<void> | undefined);
};

test('as many run in all instances as the limit says, and one more when one has ended', async () => {
  const { one, other } = await openTwo();
  const two = slot('a', { limit: 2 });
  const first = await take(one, two);
  await take(other, two);
  expect(await take(one, two)).toBeUndefined();
  await give(first);
  await give(first);
  expect(await take(other, two)).toBeDefined();
  expect(await take(one, two)).toBeUndefined();
});

test('many at once get exactly as many slots as there are', async () => {
  const { one, other } = await openTwo();
  const taken = await Promise.all(
    Array.from({ length: 40 }, (_, index) => take(index % 2 === 0 ? one : other, slot('a', { limit: 7 }))),
  );
  expect(taken.filter((release) => release !== undefined)).toHaveLength(7);
});

test('all slots are taken or none', async () => {
  const { one, other } = await openTwo();
  await take(one, slot('b'));
  expect(await take(other, slot('a'), slot('b'))).toBeUndefined();
  expect(await take(other, slot('a'))).toBeDefined();
});

test('calls of all instances wait in one queue, in the order in which they came', async () => {
  const { one, other, waits } = await openTwo();
  const order: number[] = [];
  const first = await take(one, queued('a'));
  const calls = [];
  for (let index = 0; index < 6; index += 1) {
    const call = async (): Promise<void> => {
      const release = await take(index % 2 === 0 ? one : other, queued('a'));
      order.push(index);
      await give(release);
    };
    calls.push(call());
    await until(() => waits(index + 1));
  }
  await give(first);
  await Promise.all(calls);
  expect(order).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a call beyond the size of the queue is refused, and one that has waited for too long keeps no place', async () => {
  const { one, other, waits } = await openTwo();
  const release = await take(one, queued('a', 1));
  const waiting = take(other, slot('a', { queueSize: 1, queueTimeout: 500 }));
  await until(() => waits(1));
  expect(await take(one, queued('a', 1))).toBeUndefined();
  expect(await waiting).toBeUndefined();
  expect(await waits(0)).toBe(true);
  const next = take(other, queued('a', 1));
  await until(() => waits(1));
  await give(release);
  expect(await next).toBeDefined();
});

test('a call that is cancelled while it waits rejects with the reason, and keeps no place', async () => {
  const { one, other, waits } = await openTwo();
  await take(one, queued('a', 1));
  const cancelled = new AbortController();
  const waiting = other.take([queued('a', 1)], () => cancelled.signal);
  await until(() => waits(1));
  cancelled.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await until(() => waits(0));
});

test('a call that waits for two keys holds neither, and lets others pass', async () => {
  const { one, other, waits } = await openTwo();
  const ofB = await take(one, queued('b'));
  const both = take(other, queued('a'), queued('b'));
  await until(() => waits(1));
  const ofA = await take(one, queued('a'));
  expect(ofA).toBeDefined();
  await give(ofB);
  const later = take(one, slot('c'));
  expect(await later).toBeDefined();
  await give(ofA);
  expect(await both).toBeDefined();
});

test('slots of a process that is gone are free when its lease is over, and those of one that lives are renewed', async () => {
  const intervals = jest.spyOn(globalThis, 'setInterval');
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  const renewals = intervals.mock.calls.map(([renew]) => renew);
  intervals.mockRestore();
  const ends = async (): Promise<unknown> =>
    (await database.run('SELECT expires_at FROM OWN.slots WHERE app = $1', [app]))[0]?.['expires_at'];
  await take(ports.slots, slot('a'));
  const first = await ends();
  await pass(20_000);
  for (const renew of renewals) renew();
  await until(async () => (await ends()) !== first);
  await pass(29_999);
  expect(await take(ports.slots, slot('a'))).toBeUndefined();
  await pass(1);
  expect(await take(ports.slots, slot('a'))).toBeDefined();
});
