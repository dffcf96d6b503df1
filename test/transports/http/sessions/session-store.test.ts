import { describe, expect, test } from '@jest/globals';
import { httpSettings } from '../../../../src/transports/http/http-options.ts';
import { HttpSession } from '../../../../src/transports/http/sessions/http-session.ts';
import { SessionStore } from '../../../../src/transports/http/sessions/session-store.ts';
import { Backlog } from '../../../../src/transports/http/streams/backpressure-counter.ts';
import { echo, fakeApplication } from '../../../support/fake-application.ts';

const settings = httpSettings({}, undefined);
const context = {
  application: fakeApplication({ echo }),
  settings,
  backlog: new Backlog(settings.maxUnreadBytes, () => undefined),
  report: () => undefined,
};

function storeAt(maxSessions: number, maxSessionsPerOwner = maxSessions) {
  const clock = { now: 0 };
  const limits = { maxSessions, maxSessionsPerOwner, idleTimeout: 1000 };
  const store = new SessionStore(limits, () => clock.now);
  const given = {
    settings: { ...limits, maxCalls: 10, resumption: undefined },
    onFailure: () => undefined,
  };
  const open = (owner?: string): HttpSession | undefined =>
    store.open(owner, (kept) => new HttpSession(context, { ...given, ...kept }));
  const closeAll = (): void => {
    for (const session of store.all()) session.close();
  };
  const leftAt = (now: number): readonly HttpSession[] => {
    clock.now = now;
    store.sweep();
    return [...store.all()];
  };
  return { clock, store, open, closeAll, leftAt };
}

test('closes sessions that were idle for too long, and only those', () => {
  const { clock, store, open, closeAll } = storeAt(10);
  const first = open();
  clock.now = 600;
  const second = open();
  clock.now = 1000;
  store.sweep();
  expect([first?.isClosed, second?.isClosed]).toEqual([true, false]);
  expect(store.all()).toEqual([second]);
  closeAll();
});

test('counts the idle time from the end of what ran last', () => {
  const { open, leftAt } = storeAt(10);
  const leave = open()?.begin();
  expect(leftAt(5000)).toHaveLength(1);
  leave?.();
  expect(leftAt(5999)).toHaveLength(1);
  expect(leftAt(6000)).toEqual([]);
});

test('counts it from the end of a task, too, whose request was answered before', async () => {
  const { clock, store, open, leftAt } = storeAt(10);
  const session = open();
  const endTask = session?.activity.enter();
  session?.touchWhenIdle();
  clock.now = 5000;
  store.sweep();
  endTask?.();
  await Promise.resolve();
  expect(leftAt(5999)).toHaveLength(1);
  expect(leftAt(6000)).toEqual([]);
});

test('makes room by closing the session that was unused for longest', () => {
  const { clock, store, open, closeAll } = storeAt(3);
  const first = open();
  clock.now = 1;
  const second = open();
  clock.now = 2;
  const third = open();
  clock.now = 3;
  first?.begin()();
  const isClosed = () => [first, second, third].map((session) => session?.isClosed);
  expect(open()).toBeDefined();
  expect(isClosed()).toEqual([false, true, false]);
  expect(open()).toBeDefined();
  expect(isClosed()).toEqual([false, true, true]);
  expect(store.all()).toHaveLength(3);
  closeAll();
});

test('finds the one that was unused for longest also where all were used since', () => {
  const { clock, open, closeAll } = storeAt(3);
  const all = [open(), open(), open()];
  for (const [index, moment] of [7, 5, 6].entries()) {
    clock.now = moment;
    all[index]?.begin()();
  }
  clock.now = 8;
  expect(open()).toBeDefined();
  expect(all.map((session) => session?.isClosed)).toEqual([false, true, false]);
  closeAll();
});

test('refuses a new session only when all are in use', async () => {
  const { store, open, closeAll } = storeAt(2);
  const first = open();
  const second = open();
  const leave = first?.begin();
  second?.begin();
  expect(open()).toBeUndefined();
  leave?.();
  await Promise.resolve();
  expect(open()).toBeDefined();
  expect(first?.isClosed).toBe(true);
  closeAll();
  expect(store.all()).toEqual([]);
});

test('keeps no place for a session that could not be opened', () => {
  const { store, open, closeAll } = storeAt(1);
  const fail = (): never => {
    throw new Error('no');
  };
  expect(() => store.open(undefined, fail)).toThrow('no');
  expect(open()).toBeDefined();
  closeAll();
});

describe('sessions of several owners', () => {
  test('are each a share, in which an idle one makes room for a new one', () => {
    const { clock, open, closeAll } = storeAt(10, 2);
    const first = open('bob');
    clock.now = 1;
    const second = open('bob');
    first?.begin();
    expect(open('bob')).toBeDefined();
    expect([first, second].map((session) => session?.isClosed)).toEqual([false, true]);
    closeAll();
  });

  test('leave an owner its sessions while another opens more than it may', () => {
    const { store, open, closeAll } = storeAt(10, 5);
    const alice = open('alice');
    const bobs = [];
    for (let count = 0; count < 8; count += 1) {
      const bob = open('bob');
      if (bob !== undefined) store.openStream(bob);
      bobs.push(bob);
    }
    expect(bobs.filter((bob) => bob !== undefined)).toHaveLength(5);
    expect(alice?.isClosed).toBe(false);
    expect(open('alice')).toBeDefined();
    closeAll();
  });

  test('end a stream of the owner with the most for one who has fewer, and never a call', () => {
    const { clock, store, open, closeAll } = storeAt(4, 4);
    const bobs: (HttpSession | undefined)[] = [];
    for (let count = 0; count < 4; count += 1) {
      clock.now = count;
      const bob = open('bob');
      if (bob !== undefined) store.openStream(bob);
      bobs.push(bob);
    }
    bobs[0]?.begin();
    expect(open('bob')).toBeUndefined();
    const alice = open('alice');
    alice?.begin();
    expect(bobs.map((bob) => bob?.isClosed)).toEqual([false, true, false, false]);
    for (const bob of bobs) bob?.begin();
    expect(open('carol')).toBeUndefined();
    closeAll();
  });

  test('count no more when opening one fails', () => {
    const { store, open, closeAll } = storeAt(1);
    const fail = (): never => {
      throw new Error('broken');
    };
    expect(() => store.open('bob', fail)).toThrow('broken');
    expect(open('alice')).toBeDefined();
    closeAll();
  });
});
