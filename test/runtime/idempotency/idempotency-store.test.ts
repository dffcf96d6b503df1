import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { SqliteIdempotencyStore, type IdempotencyStore } from 'toolwright';
import { idempotencyStoreConformance, type MakePort } from 'toolwright/testing';
import { standingClock } from '../../support/kit.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a store in SQLite', () => {
  const make: MakePort<IdempotencyStore> = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'calls-'));
    const url = `file:${join(folder, 'calls.db')}`;
    const clock = standingClock();
    const open = () => new SqliteIdempotencyStore({ url }, clock.now);
    const [port, other] = [open(), open()];
    const dispose = async (): Promise<void> => {
      await Promise.all([port.close(), other.close()]);
      await rm(folder, { recursive: true });
    };
    return { port, second: () => other, clock, dispose };
  };

  for (const { name, run } of idempotencyStoreConformance(make)) test(name, run);
});

test('A SQLite file keeps what one process has put down for the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'calls-'));
  const url = `file:${join(folder, 'calls.db')}`;
  const entry = { value: 'x', lease: 5000, lifetime: 5000 };
  const [first, second] = [new SqliteIdempotencyStore({ url }), new SqliteIdempotencyStore({ url })];
  closing.push(
    () => rm(folder, { recursive: true }),
    () => second.close(),
  );
  const fence = await first.claim('a', undefined, entry);
  await first.close();
  expect(await second.get('a')).toMatchObject({ value: 'x', fence });
  expect(await second.claim('b', undefined, entry)).toBeGreaterThan(Number(fence));
});

test.each(['calls.db', 'file:', 'file::memory:', 'https://a.example'])('%s is not a file', (url) => {
  expect(() => new SqliteIdempotencyStore({ url })).toThrow(
    expect.objectContaining({ code: 'TW_APPLICATION_OPTION' }),
  );
});
