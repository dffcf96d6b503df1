import { describe, expect, test } from '@jest/globals';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { CLIENTS, openRedis } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

describe.each(Object.entries(CLIENTS))('at start, with %s', (_library, clientFor) => {
  const problem = (what: RegExp) =>
    expect.objectContaining({ code: 'TW_BACKPLANE_STORE', message: expect.stringMatching(what) });

  test('a Redis that forgets keys to make room is refused, until it does not', async () => {
    await using redis = await OwnRedis.start('--maxmemory-policy', 'allkeys-lru');
    await expect(openRedis(clientFor(redis.url))).rejects.toEqual(
      problem(/maxmemory-policy is allkeys-lru[^]*fix: set `maxmemory-policy noeviction`/),
    );
    const admin = new Redis(redis.url);
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    admin.disconnect();
    const { ports } = await openRedis(clientFor(redis.url));
    await ports.close();
  });

  test('wrong credentials are said at once', async () => {
    await using redis = await OwnRedis.start('--requirepass', 'right');
    await expect(openRedis(clientFor(redis.url))).rejects.toEqual(problem(/because of its credentials/));
    const wrong = redis.url.replace('redis://', 'redis://:wrong@');
    await expect(openRedis(clientFor(wrong))).rejects.toEqual(problem(/because of its credentials/));
    const { ports } = await openRedis(clientFor(redis.url.replace('redis://', 'redis://:right@')));
    expect(await ports.store.get('sessions', 'a')).toBeUndefined();
    await ports.close();
  });

  test('a replica is refused', async () => {
    await using primary = await OwnRedis.start();
    await using replica = await OwnRedis.start('--replicaof', `127.0.0.1 ${String(primary.port)}`);
    await expect(openRedis(clientFor(replica.url))).rejects.toEqual(problem(/connected to a replica/));
  });

  test('a user that may not do enough is refused, and one without CONFIG is not', async () => {
    await using redis = await OwnRedis.start();
    const admin = new Redis(redis.url);
    await admin.acl('SETUSER', 'few', 'on', '>few', '~tw:*', '&tw:*', '+ping', '+hello');
    await admin.acl('SETUSER', 'hosted', 'on', '>hosted', '~tw:*', '&tw:*', '+@all', '-config');
    admin.disconnect();
    const urlOf = (user: string): string => redis.url.replace('redis://', `redis://${user}:${user}@`);
    await expect(openRedis(clientFor(urlOf('few')))).rejects.toEqual(problem(/may not run all commands/));
    const { ports } = await openRedis(clientFor(urlOf('hosted')));
    expect(await ports.store.put('sessions', 'a', { value: 'x', ttl: 1000 })).toHaveProperty('version');
    await ports.close();
  });

  test('TLS that Redis does not speak is said', async () => {
    await using redis = await OwnRedis.start();
    await expect(openRedis(clientFor(redis.url.replace('redis:', 'rediss:')))).rejects.toEqual(
      problem(/TLS[^]*redis:\/\/ in place of rediss:\/\//),
    );
  });

  test('a Redis that is not there is said', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    server.close();
    await expect(openRedis(clientFor(`redis://127.0.0.1:${String(port)}`))).rejects.toEqual(
      problem(/cannot reach Redis: .*ECONNREFUSED/),
    );
  });
});

test('the client itself is neither connected nor closed', async () => {
  await using redis = await OwnRedis.start();
  const client = createClient({ url: redis.url });
  const { ports } = await openRedis(client);
  expect(client.isOpen).toBe(false);
  await ports.close();
  await client.connect();
  expect(await client.ping()).toBe('PONG');
  client.destroy();
});
