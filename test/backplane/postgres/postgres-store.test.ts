import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { StoreWritten } from 'toolwright';
import { until, usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

function versionOf(written: StoreWritten): number {
  if ('version' in written) return written.version;
  throw new Error(`refused: ${JSON.stringify(written)}`);
}

const claim = { value: 'x', ttl: 1000, hold: 100, if: 'absent' } as const;

test('Any text is given back, by the owner who put it first', async () => {
  const { store } = await database.open(randomUUID());
  for (const value of ['first \0 \ud800', '"second"']) {
    await store.put('results', 'a', { value, ttl: 60_000 });
    expect((await store.get('results', 'a'))?.value).toBe(value);
  }
});

test('Reads that keep an entry write it only once in a twentieth of its lifetime', async () => {
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  const { store } = ports;
  const written = async (): Promise<unknown> => {
    const [row] = await database.run('SELECT xmin FROM OWN.entries WHERE app = $1', [app]);
    return row?.['xmin'];
  };
  await store.put('sessions', 'a', { value: 'x', ttl: 1000 });
  const first = await written();
  await pass(49);
  await store.get('sessions', 'a', { keep: 1000 });
  expect(await written()).toBe(first);
  await pass(2);
  await store.get('sessions', 'a', { keep: 1000 });
  expect(await written()).not.toBe(first);
});

test('Versions go on growing after an entry is swept away, and when the clock goes an hour back', async () => {
  const { ports, pass } = await database.openTimed(randomUUID());
  const { store } = ports;
  const first = versionOf(await store.put('calls', 'a', { ...claim, value: 'swept' }));
  await pass(100_000);
  await database.run('SELECT OWN.sweep(1000)');
  expect(await database.run("SELECT FROM OWN.entries WHERE value = 'swept'")).toEqual([]);
  const second = versionOf(await store.put('calls', 'a', claim));
  expect(second).toBeGreaterThan(first);
  await store.put('calls', 'a', { value: '', ttl: 0, if: second });
  await pass(-3_600_000);
  expect(versionOf(await store.put('calls', 'a', claim))).toBeGreaterThan(second);
});

test('What was put after its caller gave up is taken back, and the next one may put it', async () => {
  const app = randomUUID();
  const { store } = await database.open(app);
  const locker = await database.pool.connect();
  await locker.query('BEGIN');
  await locker.query(
    `INSERT INTO ${database.schema}.entries VALUES ($1, 'calls', 'a', 'other', 1, 0, 9e15, NULL)`,
    [app],
  );
  await expect(store.put('calls', 'a', { ...claim, ttl: 600_000 })).rejects.toThrow('did not answer');
  await locker.query('ROLLBACK');
  locker.release();
  const running = "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%OWN\".put_entry%'";
  await until(async () => (await database.run(running)).length <= 1);
  await until(async () => 'version' in (await store.put('calls', 'a', { ...claim, ttl: 600_000 })));
});

test('An owner takes about so many bytes of a collection; others go on', async () => {
  const { store } = await database.open(randomUUID(), { maxBytesPerOwner: 1000 });
  const owner = 'o'.repeat(22);
  const take = (key: string, of = owner): Promise<StoreWritten> =>
    store.put('calls', `${of}.${key}`, {
      ...claim,
      ttl: 60_000,
      value: 'x'.repeat(600),
      share: { owner: of },
    });
  const version = versionOf(await take('1'));
  versionOf(await take('2'));
  // Without a look at the entries until the next one is due
  expect([await take('3'), await take('4')]).toEqual([{ full: 'owner' }, { full: 'owner' }]);
  versionOf(await take('1', 'p'.repeat(22)));
  versionOf(await store.put('calls', `${owner}.1`, { value: 'done', ttl: 60_000, if: version }));
  await store.delete('calls', `${owner}.2`);
  await until(async () => 'version' in (await take('5')));
});
