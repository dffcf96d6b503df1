import { describe, expect, test } from '@jest/globals';
import { SessionStore, type SessionEntry } from '../../../../src/transports/http/sessions/session-store.ts';
import type { HttpConnection } from '../../../../src/transports/http/sessions/http-connection.ts';

function connection(): HttpConnection {
  const closing = new AbortController();
  return {
    isInitialized: true,
    closed: closing.signal,
    serve: () => Promise.resolve(new Response()),
    notify: () => undefined,
    close: () => {
      closing.abort();
      return Promise.resolve();
    },
  };
}

function storeAt(maximum: number, maximumPerOwner = maximum) {
  const clock = { now: 0 };
  const store = new SessionStore({ maximum, maximumPerOwner, idleTimeout: 1000 }, () => clock.now);
  const open = async (owner?: string): Promise<SessionEntry | undefined> =>
    store.open(owner, () => Promise.resolve(connection()));
  return { clock, store, open };
}

test('closes sessions that were idle for too long, and only those', async () => {
  const { clock, store, open } = storeAt(10);
  const first = await open();
  clock.now = 600;
  const second = await open();
  clock.now = 1000;
  store.sweep();
  expect([first?.connection.closed.aborted, second?.connection.closed.aborted]).toEqual([true, false]);
  expect(store.size).toBe(1);
  await store.closeAll();
});

test('counts the idle time from the end of what ran last', async () => {
  const { clock, store, open } = storeAt(10);
  const entry = await open();
  const leave = entry?.session.activity.enter();
  clock.now = 5000;
  store.sweep();
  expect(store.size).toBe(1);
  leave?.();
  leave?.();
  clock.now = 5999;
  store.sweep();
  expect(store.size).toBe(1);
  clock.now = 6000;
  store.sweep();
  expect(store.size).toBe(0);
});

test('makes room by closing the session that was unused for longest', async () => {
  const { clock, store, open } = storeAt(3);
  const first = await open();
  clock.now = 1;
  const second = await open();
  clock.now = 2;
  const third = await open();
  clock.now = 3;
  first?.session.activity.enter()();
  const isClosed = () => [first, second, third].map((entry) => entry?.connection.closed.aborted);
  expect(await open()).toBeDefined();
  expect(isClosed()).toEqual([false, true, false]);
  expect(await open()).toBeDefined();
  expect(isClosed()).toEqual([false, true, true]);
  expect(store.size).toBe(3);
  await store.closeAll();
});

test('refuses a new session only when all are in use', async () => {
  const { store, open } = storeAt(2);
  const first = await open();
  const second = await open();
  const leave = first?.session.activity.enter();
  second?.session.activity.enter();
  expect(await open()).toBeUndefined();
  leave?.();
  expect(await open()).toBeDefined();
  expect(first?.connection.closed.aborted).toBe(true);
  await store.closeAll();
  expect(store.size).toBe(0);
});

test('counts sessions that are being opened', async () => {
  const { store, open } = storeAt(2);
  const opened = await Promise.all([open(), open(), open()]);
  expect(opened.filter((entry) => entry !== undefined)).toHaveLength(2);
  await store.closeAll();
});

test('keeps no place for a session that could not be opened', async () => {
  const { store, open } = storeAt(1);
  await expect(store.open(undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await open()).toBeDefined();
  await store.closeAll();
});

describe('sessions of several owners', () => {
  test('are each a share, in which an idle one makes room for a new one', async () => {
    const { clock, store, open } = storeAt(10, 2);
    const first = await open('bob');
    clock.now = 1;
    const second = await open('bob');
    first?.session.activity.enter();
    expect(await open('bob')).toBeDefined();
    expect([first, second].map((entry) => entry?.connection.closed.aborted)).toEqual([false, true]);
    await store.closeAll();
  });

  test('leave an owner its sessions while another opens more than it may', async () => {
    const { store, open } = storeAt(10, 5);
    const alice = await open('alice');
    const bobs = [];
    for (let count = 0; count < 8; count += 1) {
      const bob = await open('bob');
      bob?.session.streams.enter();
      bobs.push(bob);
    }
    expect(bobs.filter((entry) => entry !== undefined)).toHaveLength(5);
    expect(alice?.connection.closed.aborted).toBe(false);
    expect(await open('alice')).toBeDefined();
    await store.closeAll();
  });

  test('end a stream of the owner with the most for one who has fewer, and never a call', async () => {
    const { clock, store, open } = storeAt(4, 4);
    const bobs: (SessionEntry | undefined)[] = [];
    for (let count = 0; count < 4; count += 1) {
      clock.now = count;
      const bob = await open('bob');
      bob?.session.streams.enter();
      bobs.push(bob);
    }
    bobs[0]?.session.activity.enter();
    expect(await open('bob')).toBeUndefined();
    const alice = await open('alice');
    alice?.session.activity.enter();
    expect(bobs.map((entry) => entry?.connection.closed.aborted)).toEqual([false, true, false, false]);
    for (const bob of bobs) bob?.session.activity.enter();
    expect(await open('carol')).toBeUndefined();
    await store.closeAll();
  });

  test('count no more when opening one fails', async () => {
    const { store, open } = storeAt(1);
    await expect(store.open('bob', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await open('alice')).toBeDefined();
    await store.closeAll();
  });
});
