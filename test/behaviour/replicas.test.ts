import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { postgresBackplane } from 'toolwright/postgres';
import { redisBackplane } from 'toolwright/redis';
import { takeNews } from '../support/connections/news.ts';
import {
  call,
  notifierOf,
  openDesk,
  version1,
  version2,
  work,
  type Connect,
  shared,
  until,
  untilItListens,
} from '../support/replicated-desk.ts';
import { usePostgresSchema } from '../support/postgres-backplane.ts';
import { useRedis } from '../support/services/use-services.ts';
import { SharedMemory } from '../support/shared-memory.ts';
import { textOf } from '../support/text-of.ts';

const legacy = version2('2025');
const ALL: [string, Connect][] = [
  ['a 2025 client of SDK v1', version1],
  ['a 2025 client of SDK v2', legacy],
  ['a 2026 client', version2('2026')],
];

const redis = useRedis();
const postgres = usePostgresSchema();

const BACKPLANES = {
  memory: () => new SharedMemory(),
  Redis: () =>
    redisBackplane({ client: createClient({ url: redis.url }), prefix: `${crypto.randomUUID()}:` }),
  PostgreSQL: () => postgresBackplane({ pool: postgres.pool, schema: postgres.schema }),
};

describe.each(Object.entries(BACKPLANES))('over %s,', (store, backplane) => {
  // Where the stores are other processes, one client of each era is enough
  const clients = store === 'memory' ? ALL : ALL.filter(([, connect]) => connect !== legacy);

  beforeAll(() => {
    shared.backplane = backplane;
  });

  test.each(clients)('%s is served by all instances, questions and progress included', async (_, connect) => {
    const { proxy } = await openDesk();
    const client = await connect(proxy.url);
    for (const name of ['a', 'b', 'c', 'd']) expect(await call(client, 'echo', { name })).toBe(name);
    const progress: number[][] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const steps: number[] = [];
      progress.push(steps);
      const result = await client.callTool({ name: 'desk', arguments: { action: 'interview' } }, undefined, {
        onprogress: (each) => steps.push(each.progress),
      });
      expect(textOf(result as never)).toBe('Ann said');
    }
    // A 2026 client counts its rounds before
    expect(progress.map((steps) => steps.slice(-3))).toEqual(Array(3).fill([1, 2, 3]));
    expect(Math.min(...proxy.counts)).toBeGreaterThan(3);
  });

  describe.each(clients.slice(0, -1))('%s', (_, connect) => {
    test('cancels a call at another instance, and none of another session', async () => {
      const { proxy } = await openDesk();
      const [one, other] = [await connect(proxy.url), await connect(proxy.url)];
      proxy.pin(0);
      const abort = new AbortController();
      // Both have the same id
      const running = [one, other].map((client, index) =>
        client
          .callTool(
            { name: 'desk', arguments: { action: 'work', name: `call ${String(index)}` } },
            undefined,
            {
              signal: abort.signal.aborted || index > 0 ? new AbortController().signal : abort.signal,
            },
          )
          .catch(() => 'cancelled'),
      );
      await until(() => one.heard.length + other.heard.length >= 2);
      proxy.pin(1);
      abort.abort();
      expect(await running[0]).toBe('cancelled');
      await until(() => work.aborted.length > 0);
      work.end.open();
      expect(textOf((await running[1]) as never)).toBe('call 1 is done');
      expect(work.aborted).toEqual(['call 0']);
    });

    test('learns once of each change, on the stream that one instance has', async () => {
      const cluster = await openDesk();
      const { proxy } = cluster;
      const client = await connect(proxy.url);
      await untilItListens(client, cluster);
      await client.listen('wiki://pages/a');
      for (const index of [0, 1, 2]) {
        notifierOf(cluster, index).toolsChanged();
        notifierOf(cluster, index).resourceUpdated('wiki://pages/a');
        notifierOf(cluster, index).resourceUpdated('wiki://pages/b');
        await until(() => client.heard.length >= 2);
        await call(client, 'echo', { name: 'x' });
        expect([...takeNews(client)].sort()).toEqual([
          'resources/updated wiki://pages/a',
          'tools/list_changed',
        ]);
      }
    });

    test('sets a level at one instance that counts at the others', async () => {
      const { proxy } = await openDesk();
      const client = await connect(proxy.url);
      await client.send('logging/setLevel', { level: 'error' });
      work.end.open();
      for (let turn = 0; turn < 3; turn += 1) await call(client, 'work', { name: 'x' });
      expect(takeNews(client)).toEqual(Array(3).fill('message "x begins"'));
    });

    test('gets the answer of a call whose stream broke at another instance', async () => {
      const { proxy } = await openDesk();
      const client = await connect(proxy.url);
      proxy.pin(0);
      const running = call(client, 'work', { name: 'long' });
      await until(() => client.heard.length > 0);
      proxy.pin(1);
      proxy.cut(0);
      const before = proxy.counts[1] ?? 0;
      await until(() => (proxy.counts[1] ?? 0) > before + 1);
      work.end.open();
      expect(await running).toBe('long is done');
      expect(takeNews(client)).toEqual(['message "long begins"', 'message "long ends"']);
    });

    test('learns that the instance is gone which ran its call', async () => {
      const { proxy, replicas } = await openDesk();
      const client = await connect(proxy.url);
      proxy.pin(0);
      const running = call(client, 'work', { name: 'lost' });
      await until(() => client.heard.length > 0);
      proxy.pin(undefined);
      replicas[0]?.kill();
      await expect(running).rejects.toThrow(/outcome is unknown/);
      expect(await call(client, 'echo', { name: 'goes on' })).toBe('goes on');
    });

    test('gets the answer of a call at another instance while the first one drains', async () => {
      const { proxy, replicas } = await openDesk({ drainTimeout: 10_000 });
      const client = await connect(proxy.url);
      proxy.pin(0);
      const running = call(client, 'work', { name: 'long' });
      await until(() => client.heard.length > 0);
      proxy.pin(1);
      const closing = replicas[0]?.app.close();
      const before = proxy.counts[1] ?? 0;
      await until(() => (proxy.counts[1] ?? 0) > before);
      work.end.open();
      expect(await running).toBe('long is done');
      await closing;
      expect(replicas[0]?.app.isDrained).toBe(true);
    });
  });

  test('a 2026 client learns once of each change', async () => {
    const cluster = await openDesk();
    const client = await version2('2026')(cluster.proxy.url);
    await client.listen('wiki://pages/a');
    for (const index of [0, 1, 2]) {
      notifierOf(cluster, index).resourceUpdated('wiki://pages/a');
      await until(() => client.heard.length >= 1);
      await call(client, 'echo', { name: 'x' });
      expect(takeNews(client)).toEqual(['resources/updated wiki://pages/a']);
    }
  });

  test('pages and sealed states of a 2026 client are read by every instance', async () => {
    const { proxy } = await openDesk({ pageSize: 1 });
    const client = await version2('2026')(proxy.url);
    const names: string[] = [];
    const page = async (cursor?: string): Promise<string | undefined> => {
      const listed = (await client.send('prompts/list', cursor === undefined ? {} : { cursor })) as {
        readonly prompts: readonly { readonly name: string }[];
        readonly nextCursor?: string;
      };
      names.push(...listed.prompts.map(({ name }) => name));
      return listed.nextCursor;
    };
    let cursor = await page();
    while (cursor !== undefined) cursor = await page(cursor);
    expect(names).toEqual(['greet', 'part']);
  });
});
