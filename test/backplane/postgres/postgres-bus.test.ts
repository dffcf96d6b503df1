import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { until, usePostgresSchema, type Ports } from '../../support/postgres-backplane.ts';

const database = usePostgresSchema();

/** Two instances of one application. */
async function openTwo(): Promise<readonly [Ports, Ports]> {
  const app = randomUUID();
  return [await database.open(app), await database.open(app)];
}

async function hear({ bus }: Ports, channel: string): Promise<string[]> {
  const heard: string[] = [];
  await bus.subscribe(channel, (text) => heard.push(text));
  return heard;
}

describe('a text', () => {
  test('reaches all instances, the one that sent it included, and in order', async () => {
    const [one, other] = await openTwo();
    const [here, there] = [await hear(one, 'c'), await hear(other, 'c')];
    const texts = Array.from({ length: 500 }, (_, index) => `${index % 7 === 0 ? 'same' : index}`);
    await Promise.all(texts.map((text) => one.bus.publish('c', text)));
    await until(() => here.length >= 500 && there.length >= 500);
    expect(here).toEqual(texts);
    expect(there).toEqual(texts);
  });

  test.each([
    ['that is empty', ''],
    ['with characters that PostgreSQL refuses', 'a\0b \ud83d "'],
    ['in quotes', '"x"'],
    ['with lines', 'a\nb\r\n:c'],
    ['of the largest notice', 'x'.repeat(7900)],
    ['larger than a notice', 'ä'.repeat(4000)],
    ['of a megabyte', 'x'.repeat(1024 * 1024)],
  ])('%s arrives as it was', async (_what, text) => {
    const [one, other] = await openTwo();
    const heard = await hear(other, 'c');
    await one.bus.publish('c', text);
    await until(() => heard.length === 1);
    expect(heard[0] === text).toBe(true);
  });

  test('that is short does not pass an earlier one that is long', async () => {
    const [one, other] = await openTwo();
    const heard = await hear(other, 'c');
    const texts = Array.from({ length: 40 }, (_, index) =>
      String(index).padEnd(index % 3 === 0 ? 9000 : 1, ' '),
    );
    for (const text of texts) void one.bus.publish('c', text);
    await until(() => heard.length === 40);
    expect(heard.map((text) => text.trim())).toEqual(texts.map((text) => text.trim()));
  });

  test('stays in its channel, in its application and with those who listen', async () => {
    const [one, other] = await openTwo();
    const stranger = await hear(await database.open(randomUUID()), 'c');
    const elsewhere = await hear(other, 'd');
    const kept = await hear(other, 'c');
    const ended: string[] = [];
    const listener = (text: string): void => void ended.push(text);
    const stop = await other.bus.subscribe('c', listener);
    await other.bus.subscribe('c', listener);
    stop();
    await one.bus.publish('c', 'hello');
    await until(() => kept.length > 0 && ended.length > 0);
    expect([kept, ended]).toEqual([['hello'], ['hello']]);
    expect([stranger, elsewhere]).toEqual([[], []]);
  });
});

describe('a connection that is lost', () => {
  test('comes back by itself, says that there was a gap, and is logged once', async () => {
    const app = randomUUID();
    const logger = new MemoryLogger();
    const one = await database.open(app);
    const other = await database.open(app, { pool: database.newPool({ application_name: app }) }, logger);
    const heard = await hear(other, 'c');
    let gaps = 0;
    other.bus.onGap(() => (gaps += 1));
    await database.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
      app,
    ]);
    await until(() => gaps > 0);
    await one.bus.publish('c', 'after');
    await until(() => heard.length > 0);
    expect([heard, gaps]).toEqual([['after'], 1]);
    const levels = logger.records.map(({ event, level }) => [event, level]);
    expect(levels).toEqual([
      ['backplane.store-failed', 'error'],
      ['backplane.store-failed', 'notice'],
    ]);
  });
});

test('an application whose notices would not arrive does not start', async () => {
  const silent = { query: async () => ({ rows: [] }), on: () => {}, off: () => {}, release: () => {} };
  const listen = { ...silent, connect: async () => silent, end: async () => {} };
  await expect(database.open(randomUUID(), { listen })).rejects.toMatchObject({
    code: 'TW_BACKPLANE_STORE',
    message: expect.stringContaining('does not pass on'),
  });
});
