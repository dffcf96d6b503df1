import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { usePostgresSchema } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

describe('results', () => {
  test('are kept as long as they may be, and replaced', async () => {
    const { ports, pass } = await database.openTimed(randomUUID());
    const { results } = ports;
    expect(await results.get('a')).toBeUndefined();
    await results.put('a', { value: 'first \0 \ud800', lifetime: 1000, owner: undefined });
    expect(await results.get('a')).toBe('first \0 \ud800');
    await results.put('a', { value: '"second"', lifetime: 2000, owner: 'ann' });
    await pass(1999);
    expect(await results.get('a')).toBe('"second"');
    await pass(1);
    expect(await results.get('a')).toBeUndefined();
  });
});

describe('sessions', () => {
  test('are not written by each use, but by one in a twentieth of their lifetime', async () => {
    const app = randomUUID();
    const { ports, pass } = await database.openTimed(app);
    const { sessions } = ports;
    const version = async (): Promise<unknown> => {
      const [row] = await database.run('SELECT xmin FROM OWN.sessions WHERE app = $1', [app]);
      return row?.['xmin'];
    };
    await sessions.save('a', 'value', 0, 1000);
    const first = await version();
    await pass(49);
    await sessions.load('a', 1000);
    expect(await version()).toBe(first);
    await pass(2);
    await sessions.load('a', 1000);
    expect(await version()).not.toBe(first);
  });
});

test('numbers of calls go on growing after an entry is swept away', async () => {
  const { ports, pass } = await database.openTimed(randomUUID());
  const { idempotency } = ports;
  const update = { value: 'swept', lease: 100, lifetime: 1000 };
  const first = Number(await idempotency.claim('a', undefined, update));
  await pass(100_000);
  await database.run('SELECT OWN.sweep(1000)');
  expect(await database.run("SELECT FROM OWN.calls WHERE value = 'swept'")).toEqual([]);
  expect(await idempotency.claim('a', undefined, update)).toBeGreaterThan(first);
});
