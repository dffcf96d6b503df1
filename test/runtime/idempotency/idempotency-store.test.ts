import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { InMemoryIdempotencyStore, SqliteIdempotencyStore, type IdempotencyStore } from 'toolwright';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Make = (now: () => number) => Promise<IdempotencyStore>;

async function sqlite(now: () => number): Promise<IdempotencyStore> {
  const folder = await mkdtemp(join(tmpdir(), 'calls-'));
  const store = new SqliteIdempotencyStore({ url: `file:${join(folder, 'calls.db')}` }, now);
  closing.push(
    () => rm(folder, { recursive: true }),
    () => store.close(),
  );
  return store;
}

const FORMS: readonly (readonly [name: string, make: Make])[] = [
  ['in memory', async (now) => new InMemoryIdempotencyStore({}, now)],
  ['in SQLite', sqlite],
];

const update = (value: string, lease = 100, lifetime = 1000) => ({ value, lease, lifetime });

describe.each(FORMS)('an idempotency store %s', (_name, make) => {
  async function start() {
    let time = 1000;
    const store = await make(() => time);
    const pass = (milliseconds: number): void => {
      time += milliseconds;
    };
    return { store, pass };
  }

  test('knows nothing of a key at first', async () => {
    const { store } = await start();
    expect(await store.get('a')).toBeUndefined();
    expect(await store.replace('a', 1, update('x'))).toBe(false);
    expect(await store.claim('a', 1, update('x'))).toBeUndefined();
  });

  test('gives a key to one of many', async () => {
    const { store } = await start();
    const claims = Array.from({ length: 20 }, (_, index) =>
      store.claim('a', undefined, update(String(index))),
    );
    const fences = (await Promise.all(claims)).filter((fence) => fence !== undefined);
    expect(fences).toHaveLength(1);
    expect(await store.get('a')).toEqual({ value: '0', fence: fences[0], leaseLeft: 100 });
  });

  test('lets one of many take over what they have seen', async () => {
    const { store } = await start();
    const first = await store.claim('a', undefined, update('x'));
    const claims = Array.from({ length: 20 }, () => store.claim('a', first, update('y')));
    const fences = (await Promise.all(claims)).filter((fence) => fence !== undefined);
    expect(fences).toHaveLength(1);
    expect(fences[0]).toBeGreaterThan(Number(first));
    expect(await store.replace('a', Number(first), update('late'))).toBe(false);
  });

  test('replaces only within the lease', async () => {
    const { store, pass } = await start();
    const fence = Number(await store.claim('a', undefined, update('x')));
    pass(99);
    expect(await store.replace('a', fence, update('y'))).toBe(true);
    pass(99);
    expect(await store.get('a')).toEqual({ value: 'y', fence, leaseLeft: 1 });
    pass(1);
    expect(await store.replace('a', fence, update('z'))).toBe(false);
    expect(await store.get('a')).toEqual({ value: 'y', fence, leaseLeft: 0 });
  });

  test('forgets when the lifetime is over, and at once where there is none; its numbers go on growing', async () => {
    const { store, pass } = await start();
    const first = Number(await store.claim('a', undefined, update('x')));
    expect(await store.replace('a', first, { value: '', lease: 0, lifetime: 0 })).toBe(true);
    expect(await store.get('a')).toBeUndefined();
    const second = Number(await store.claim('a', undefined, update('y')));
    expect(second).toBeGreaterThan(first);
    pass(1000);
    expect(await store.get('a')).toBeUndefined();
    expect(await store.claim('a', undefined, update('z'))).toBeGreaterThan(second);
  });
});

test('A SQLite file keeps what one process has put down for the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'calls-'));
  const url = `file:${join(folder, 'calls.db')}`;
  const [first, second] = [new SqliteIdempotencyStore({ url }), new SqliteIdempotencyStore({ url })];
  closing.push(
    () => rm(folder, { recursive: true }),
    () => second.close(),
  );
  const fence = await first.claim('a', undefined, update('x', 5000, 5000));
  await first.close();
  expect(await second.get('a')).toMatchObject({ value: 'x', fence });
  expect(await second.claim('b', undefined, update('y'))).toBeGreaterThan(Number(fence));
});

test.each(['calls.db', 'file:', 'file::memory:', 'https://a.example'])('%s is not a file', (url) => {
  expect(() => new SqliteIdempotencyStore({ url })).toThrow(
    expect.objectContaining({ code: 'TW_APPLICATION_OPTION' }),
  );
});
