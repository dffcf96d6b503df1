import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SqliteStore, type Store } from 'toolwright';
import { storeConformance, type MakePort } from 'toolwright/testing';
import { standingClock } from '../../support/kit.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a store in SQLite', () => {
  const make: MakePort<Store> = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-'));
    const url = `file:${join(folder, 'store.db')}`;
    const clock = standingClock();
    const open = () => new SqliteStore({ url }, clock.now);
    const [port, other] = [open(), open()];
    const dispose = async (): Promise<void> => {
      await Promise.all([port.close(), other.close()]);
      await rm(folder, { recursive: true });
    };
    return { port, second: () => other, clock, dispose };
  };

  for (const { name, run } of storeConformance(make)) test(name, run);
});

test('A SQLite file keeps what one process has put down for the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const url = `file:${join(folder, 'store.db')}`;
  const write = { value: 'x', hold: 5000, ttl: 5000 };
  const [first, second] = [new SqliteStore({ url }), new SqliteStore({ url })];
  closing.push(
    () => rm(folder, { recursive: true }),
    () => second.close(),
  );
  const { version } = (await first.put('calls', 'a', write)) as { version: number };
  await first.close();
  expect(await second.get('calls', 'a')).toMatchObject({ value: 'x', version });
  expect(await second.put('calls', 'b', write)).toEqual({ version: version + 1 });
});

test('A clock that goes an hour back gives no version twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  let now = 10_000_000;
  const store = new SqliteStore({ url: `file:${join(folder, 'store.db')}` }, () => now);
  closing.push(
    () => rm(folder, { recursive: true }),
    () => store.close(),
  );
  const claim = { value: 'x', ttl: 1000, if: 'absent' } as const;
  const { version: first } = (await store.put('calls', 'a', claim)) as { version: number };
  await store.put('calls', 'a', { value: '', ttl: 0, if: first });
  now -= 3_600_000;
  expect((await store.put('calls', 'a', claim)) as object).toEqual({ version: expect.any(Number) });
  const { version: second = 0 } = (await store.get('calls', 'a')) ?? {};
  expect(second).toBeGreaterThan(first);
});

test.each(['calls.db', 'file:', 'file::memory:', 'https://a.example'])('%s is not a file', (url) => {
  expect(() => new SqliteStore({ url })).toThrow(expect.objectContaining({ code: 'TW_APPLICATION_OPTION' }));
});
