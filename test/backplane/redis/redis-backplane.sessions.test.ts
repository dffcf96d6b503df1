import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pass } from 'node:timers/promises';
import { CLIENTS } from '../../support/redis-ports.ts';
import { redisBackplane } from 'toolwright/redis';
import { initialize, JSON_HEADERS, message } from '../../support/raw-http.ts';
import {
  call,
  notifierOf,
  openDesk,
  PERSON,
  until,
  untilItListens,
  version1,
} from '../../support/replicated-desk.ts';
import { takeNews } from '../../support/connections/news.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

const VERSION = { 'mcp-protocol-version': '2025-11-25' };

function ping(url: string, session: string): Promise<Response> {
  const headers = { ...JSON_HEADERS, ...VERSION, 'mcp-session-id': session };
  return fetch(url, { method: 'POST', headers, body: message('ping', {}, 1) });
}

describe.each(Object.entries(CLIENTS))(
  'sessions of three instances on Redis, with %s',
  (_library, clientFor) => {
    let redis: OwnRedis;

    beforeEach(async () => {
      redis = await OwnRedis.start();
    });

    afterEach(() => redis[Symbol.asyncDispose]());

    const open = () => openDesk({ backplane: redisBackplane({ client: clientFor(redis.url) }) });

    test('go on at any of them, with questions and progress', async () => {
      const { proxy } = await open();
      const client = await version1(proxy.url);
      for (const name of ['a', 'b', 'c', 'd']) expect(await call(client, 'echo', { name })).toBe(name);
      expect(await call(client, 'interview')).toBe('Ann said');
    });

    test('learn of changes at any of them, each once', async () => {
      const opened = await open();
      const client = await version1(opened.proxy.url);
      await untilItListens(client, opened);
      for (const index of [0, 1, 2]) {
        notifierOf(opened, index).toolsChanged();
        while (client.heard.length === 0) await pass(10);
        // Whatever else comes would come before the next answer
        await call(client, 'echo', { name: 'a' });
        expect(takeNews(client)).toEqual(['tools/list_changed']);
      }
    });

    test('are still known when Redis was killed and is back, and learn once that they may have missed something', async () => {
      await redis[Symbol.asyncDispose]();
      redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
      const opened = await open();
      const client = await version1(opened.proxy.url);
      await untilItListens(client, opened);
      await redis.kill();
      await redis.startAgain();
      while (client.heard.length === 0) await pass(10);
      await pass(500);
      expect(takeNews(client).filter((news) => news === 'tools/list_changed')).toHaveLength(1);
      expect(await call(client, 'echo', { name: 'b' })).toBe('b');
    });

    test.each(['hangs', 'was killed'])(
      'give a call the reply to its question that comes while Redis %s',
      async (how) => {
        await redis[Symbol.asyncDispose]();
        redis = await OwnRedis.start('--appendonly', 'yes', '--appendfsync', 'always');
        const { proxy } = await open();
        const isBack: Promise<void>[] = [];
        const client = await version1(proxy.url, {
          ...PERSON,
          onElicitation: async () => {
            await (how === 'hangs' ? redis.suspend() : redis.kill());
            proxy.pin(1);
            const before = proxy.counts[1] ?? 0;
            isBack.push(
              until(() => (proxy.counts[1] ?? 0) > before).then(() =>
                how === 'hangs' ? redis.resume() : redis.startAgain(),
              ),
            );
            return { action: 'accept', content: { name: 'Ann' } };
          },
        });
        // Its session is known to all of them
        for (const name of ['a', 'b', 'c']) await call(client, 'echo', { name });
        proxy.pin(0);
        expect(await call(client, 'interview')).toBe('Ann said');
        await Promise.all(isBack);
      },
    );

    test('are not lost while Redis hangs: the answer is 503 and never 404, and then they go on', async () => {
      const { replicas, proxy } = await open();
      const session = await initialize(proxy.url);
      await redis.suspend();
      const during = await Promise.all(replicas.map(({ url }) => ping(url, session)));
      for (const { status } of during) expect([200, 503]).toContain(status);
      expect((await ping(replicas[2]?.url ?? '', 'another session')).status).not.toBe(200);
      await redis.resume();
      for (const { url } of replicas) {
        let response = await ping(url, session);
        while (response.status === 503) {
          await pass(100);
          response = await ping(url, session);
        }
        expect(response.status).toBe(200);
      }
    });
  },
);
