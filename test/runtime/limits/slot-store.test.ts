import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { InMemorySlotStore, type SlotRequest } from 'toolwright';

const slot = (key: string, facts: Partial<SlotRequest> = {}): SlotRequest => ({
  key,
  limit: 1,
  queueSize: 0,
  queueTimeout: 0,
  ...facts,
});
const queued = (key: string, queueSize = 10, queueTimeout = 1000): SlotRequest =>
  slot(key, { queueSize, queueTimeout });
const noSignal = (): undefined => undefined;

type Release = () => void;

let store: InMemorySlotStore;
beforeEach(() => {
  jest.useFakeTimers();
  store = new InMemorySlotStore();
});
afterEach(() => {
  jest.useRealTimers();
});

const take = (...wanted: readonly SlotRequest[]) => store.take(wanted, noSignal);

/** Takes slots that are free: then the answer comes at once. */
function taken(...wanted: readonly SlotRequest[]): Release {
  const release = take(...wanted);
  if (typeof release !== 'function') throw new Error('not free');
  return release;
}

test('lets as many run as the limit says, and one more when one has ended', () => {
  const two = slot('a', { limit: 2 });
  const first = taken(two);
  taken(two);
  expect(take(two)).toBeUndefined();
  first();
  first();
  taken(two);
  expect(take(two)).toBeUndefined();
});

test('takes all slots or none', () => {
  taken(slot('b'));
  expect(take(slot('a'), slot('b'))).toBeUndefined();
  taken(slot('a'));
});

test('keeps nothing of keys that nobody uses', async () => {
  const release = taken(queued('a'), slot('b'));
  const waiting = take(queued('a'));
  expect(store.size).toBe(2);
  release();
  (await waiting)?.();
  expect(store.size).toBe(0);
});

describe('a queue', () => {
  test('goes in the order in which calls came', async () => {
    const order: string[] = [];
    const release = taken(queued('a'));
    const waiting = ['first', 'second', 'third'].map(async (name) => {
      const done = await take(queued('a'));
      order.push(name);
      done?.();
    });
    release();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test('refuses a call beyond its size', () => {
    taken(queued('a', 1));
    void take(queued('a', 1));
    expect(take(queued('a', 1))).toBeUndefined();
  });

  test('refuses a call that has waited for too long, which then keeps no place', async () => {
    const release = taken(queued('a', 1));
    const waiting = take(queued('a', 1));
    jest.advanceTimersByTime(1000);
    expect(await waiting).toBeUndefined();
    const next = take(queued('a', 1));
    release();
    expect(await next).toEqual(expect.any(Function));
  });

  test('rejects with the reason of a call that is cancelled while it waits', async () => {
    taken(queued('a', 1));
    const cancelled = new AbortController();
    const waiting = store.take([queued('a', 1)], () => cancelled.signal);
    const reason = new Error('gone');
    cancelled.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(store.take([queued('a', 1)], () => cancelled.signal)).rejects.toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('holds no slot of one limit while a call waits for that of another', async () => {
    const ofB = taken(queued('b'));
    const both = take(queued('a'), queued('b'));
    const ofA = taken(queued('a'));
    ofB();
    const settled = jest.fn();
    void Promise.resolve(both).then(settled);
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
    ofA();
    expect(await both).toEqual(expect.any(Function));
  });

  test('lets a later call pass an earlier one that waits for something else as well', async () => {
    taken(queued('b'));
    const ofA = taken(queued('a'));
    void take(queued('a'), queued('b'));
    const later = take(queued('a'));
    ofA();
    expect(await later).toEqual(expect.any(Function));
  });
});
