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

test('keeps nothing of keys that nobody uses', async () => {
  const release = taken(queued('a'), slot('b'));
  const waiting = take(queued('a'));
  expect(store.size).toBe(2);
  release();
  (await waiting)?.();
  expect(store.size).toBe(0);
});

describe('a queue', () => {
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

  test('lets a later call pass an earlier one that waits for something else as well', async () => {
    taken(queued('b'));
    const ofA = taken(queued('a'));
    void take(queued('a'), queued('b'));
    const later = take(queued('a'));
    ofA();
    expect(await later).toEqual(expect.any(Function));
  });
});
