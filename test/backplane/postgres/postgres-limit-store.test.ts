import { randomUUID } from 'node:crypto';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { LimitCharge } from 'toolwright';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';
import { stopDeadlines } from '../../support/stop-deadlines.ts';

const database = usePostgresSchema();

afterEach(() => {
  jest.useRealTimers();
});

const rate = (key: string, burst: number): LimitCharge => ({ key, cost: 1, limit: 1, per: 3_600_000, burst });

/** Two instances of one application, each with a pool of its own, whose statements may take their time. */
async function openTwo() {
  const app = randomUUID();
  const pools = [database.newPool(), database.newPool()];
  const instances = await Promise.all(pools.map((pool) => database.open(app, { pool })));
  stopDeadlines();
  return instances;
}

test('of 100 calls at once through two instances, exactly as many pass as may', async () => {
  const instances = await openTwo();
  const charge = [rate('a', 50), rate('b', 1000)];
  const calls = Array.from({ length: 100 }, async (_, index) => instances[index % 2]?.counter.charge(charge));
  const refusals = (await Promise.all(calls)).filter((refusal) => refusal !== undefined);
  expect(refusals).toHaveLength(50);
  expect(new Set(refusals.map(({ index }) => index))).toEqual(new Set([0]));
});

test('calls with the same keys in another order do not wait for each other in a ring, whichever are new', async () => {
  const instances = await openTwo();
  const keys = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
  const calls = Array.from({ length: 300 }, async (_, index) => {
    const turned = [...keys.slice(index % 12), ...keys.slice(0, index % 12)].slice(0, 2 + (index % 7));
    const charges = (index % 2 === 0 ? turned : turned.reverse()).map((key) =>
      rate(`${key}${index % 5}`, 1e6),
    );
    return instances[index % 2]?.counter.charge(charges);
  });
  expect((await Promise.all(calls)).filter((refusal) => refusal !== undefined)).toEqual([]);
});

test('nobody waits for longer because the clock of the database was set back', async () => {
  const { ports, pass } = await database.openTimed(randomUUID());
  const charge = [{ ...rate('a', 1), per: 1000 }];
  await ports.counter.charge(charge);
  await pass(-3_600_000);
  expect(await ports.counter.charge(charge)).toEqual({ index: 0, retryAfter: 1000 });
  await pass(1000);
  expect(await ports.counter.charge(charge)).toBeUndefined();
});

test('keys that are full again are swept away', async () => {
  const app = randomUUID();
  const { ports, pass } = await database.openTimed(app);
  await ports.counter.charge([{ ...rate('short', 1), per: 1000 }, rate('long', 1)]);
  await pass(61_000);
  await database.run('SELECT OWN.sweep(1000)');
  expect(await database.run('SELECT key FROM OWN.limits WHERE app = $1', [app])).toEqual([{ key: 'long' }]);
});
