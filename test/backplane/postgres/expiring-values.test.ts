import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { onceStoreConformance } from 'toolwright/testing';
import { usePostgresSchema, type Ports } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

/** A port of one application, as two of its instances reach it. */
function make<Name extends keyof Ports>(name: Name) {
  return async () => {
    const app = randomUUID();
    const { ports, now, pass } = await database.openTimed(app);
    const second = async () => (await database.open(app))[name];
    return { port: ports[name], second, clock: { now, pass } };
  };
}

describe('the store of answers', () => {
  for (const { name, run } of onceStoreConformance(make('once'))) test(name, run);
});

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
  test('are put in place of the version that was read, and of no other', async () => {
    const app = randomUUID();
    const { sessions } = await database.open(app);
    expect(await sessions.load('a', 1000)).toBeUndefined();
    expect(await sessions.save('a', 'none', 1, 60_000)).toBe(false);
    expect(await sessions.save('a', 'first', 0, 60_000)).toBe(true);
    expect(await sessions.save('a', 'again', 0, 60_000)).toBe(false);
    const others = await database.open(app);
    expect(await others.sessions.load('a', 60_000)).toEqual({ value: 'first', version: 1 });
    const saved = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? sessions : others.sessions).save('a', String(index), 1, 60_000),
      ),
    );
    expect(saved.filter(Boolean)).toHaveLength(1);
    expect(await sessions.load('a', 60_000)).toEqual({ value: String(saved.indexOf(true)), version: 2 });
    await sessions.remove('a');
    expect(await sessions.save('a', 'late', 2, 60_000)).toBe(false);
    expect(await others.sessions.load('a', 60_000)).toBeUndefined();
  });

  test('are kept for their lifetime after each use, and begin again after it', async () => {
    const { ports, pass } = await database.openTimed(randomUUID());
    const { sessions } = ports;
    await sessions.save('a', 'value', 0, 1000);
    await pass(999);
    expect(await sessions.load('a', 1000)).toBeDefined();
    await pass(999);
    expect(await sessions.save('a', 'next', 1, 1000)).toBe(true);
    await pass(999);
    expect(await sessions.load('a', 1000)).toEqual({ value: 'next', version: 2 });
    await pass(1000);
    expect(await sessions.load('a', 1000)).toBeUndefined();
    expect(await sessions.save('a', 'late', 2, 1000)).toBe(false);
    expect(await sessions.save('a', 'new', 0, 1000)).toBe(true);
    expect(await sessions.load('a', 1000)).toEqual({ value: 'new', version: 1 });
  });

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
