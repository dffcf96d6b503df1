import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

const update = (value: string, lease = 100, lifetime = 1000) => ({ value, lease, lifetime });

async function start() {
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  return { store: ports.idempotency, other: (await database.open(app)).idempotency, pass };
}

test('a key that is not known has no entry to replace or to take over', async () => {
  const { store } = await start();
  expect(await store.get('a')).toBeUndefined();
  expect(await store.replace('a', 1, update('x'))).toBe(false);
  expect(await store.claim('a', 1, update('x'))).toBeUndefined();
});

test('one of many gets a key, and one of many takes it over', async () => {
  const { store, other } = await start();
  const claim = async (expected?: number): Promise<readonly number[]> => {
    const claims = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? store : other).claim('a', expected, update(String(index))),
    );
    return (await Promise.all(claims)).filter((fence) => fence !== undefined);
  };
  const first = await claim();
  expect(first).toHaveLength(1);
  expect(await other.get('a')).toMatchObject({ fence: first[0], leaseLeft: 100 });
  const second = await claim(first[0]);
  expect(second).toHaveLength(1);
  expect(second[0]).toBeGreaterThan(first[0] ?? 0);
  expect(await store.replace('a', first[0] ?? 0, update('late'))).toBe(false);
});

test('an entry is replaced only within its lease', async () => {
  const { store, other, pass } = await start();
  const fence = Number(await store.claim('a', undefined, update('x')));
  await pass(99);
  expect(await other.replace('a', fence, update('y'))).toBe(true);
  await pass(99);
  expect(await store.get('a')).toEqual({ value: 'y', fence, leaseLeft: 1 });
  await pass(1);
  expect(await store.replace('a', fence, update('z'))).toBe(false);
  expect(await store.get('a')).toEqual({ value: 'y', fence, leaseLeft: 0 });
});

test('numbers go on growing after an entry is forgotten, given up or swept away', async () => {
  const { store, pass } = await start();
  const first = Number(await store.claim('a', undefined, update('x')));
  expect(await store.replace('a', first, { value: '', lease: 0, lifetime: 0 })).toBe(true);
  expect(await store.get('a')).toBeUndefined();
  const second = Number(await store.claim('a', undefined, update('y')));
  expect(second).toBeGreaterThan(first);
  await pass(1000);
  expect(await store.get('a')).toBeUndefined();
  expect(await store.claim('a', second, update('z'))).toBeUndefined();
  const third = Number(await store.claim('a', undefined, update('z')));
  expect(third).toBeGreaterThan(second);
  await pass(100_000);
  await database.run('SELECT OWN.sweep(1000)');
  expect(await database.run("SELECT FROM OWN.calls WHERE value = 'z'")).toEqual([]);
  expect(await store.claim('a', undefined, update('z'))).toBeGreaterThan(third);
});
