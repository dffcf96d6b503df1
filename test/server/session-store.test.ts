import { expect, test } from '@jest/globals';
import { SessionStore, type SessionEntry } from '../../src/server/http/session-store.ts';
import type { HttpConnection } from '../../src/server/sdk-v1/http-connection.ts';

function connection(): HttpConnection {
  const closing = new AbortController();
  return {
    isInitialized: true,
    closed: closing.signal,
    serveDirectly: () => undefined,
    serve: () => Promise.resolve(new Response()),
    notify: () => undefined,
    close: () => {
      closing.abort();
      return Promise.resolve();
    },
  };
}

function storeAt(maximum: number) {
  const clock = { now: 0 };
  const store = new SessionStore({ maximum, idleTimeout: 1000 }, () => clock.now);
  const open = async (): Promise<SessionEntry | undefined> =>
    store.open(undefined, () => Promise.resolve(connection()));
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
