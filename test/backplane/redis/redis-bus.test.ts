import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once, EventEmitter } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

describe.each(Object.entries(CLIENTS))('the bus over Redis, with %s', (_library, clientFor) => {
  const events = new EventEmitter();
  let redis: OwnRedis;
  let one: OpenedPorts;
  let other: OpenedPorts;

  beforeAll(async () => {
    redis = await OwnRedis.start();
    one = await openRedis(clientFor(redis.url));
    other = await openRedis(clientFor(redis.url));
  });

  afterAll(async () => {
    await Promise.all([one, other].map(({ ports }) => ports.close()));
    await redis[Symbol.asyncDispose]();
  });

  test('brings texts to every instance in order, the one that sends included', async () => {
    const heard: string[] = [];
    const all = new Promise<void>((resolve) => {
      const listen = (name: string) => (text: string) => {
        heard.push(`${name} ${text}`);
        if (heard.length === 6) resolve();
      };
      void Promise.all([
        one.ports.bus.subscribe('prices', listen('one')),
        other.ports.bus.subscribe('prices', listen('other')),
      ]).then(async () => {
        await one.ports.bus.publish('other channel', 'x');
        for (const text of ['1', '2', '3']) await one.ports.bus.publish('prices', text);
      });
    });
    await all;
    expect(heard.filter((text) => text.startsWith('one'))).toEqual(['one 1', 'one 2', 'one 3']);
    expect(heard.filter((text) => text.startsWith('other'))).toEqual(['other 1', 'other 2', 'other 3']);
  });

  test('forgets a listener that stops, and keeps the same one that listens twice', async () => {
    const heard: string[] = [];
    const listener = (text: string): void => void heard.push(text);
    const { bus } = one.ports;
    const [stop] = [await bus.subscribe('twice', listener), await bus.subscribe('twice', listener)];
    const last = new Promise<void>((resolve) => void bus.subscribe('last', () => resolve()));
    await bus.publish('twice', 'both');
    while (heard.length < 2) await pass(10);
    stop();
    stop();
    await bus.publish('twice', 'one');
    await bus.publish('last', '');
    await last;
    expect(heard).toEqual(['both', 'both', 'one']);
  });

  test('has its channels again after a restart, and then says that texts may be missing', async () => {
    await using redis = await OwnRedis.start();
    const restarted = await openRedis(clientFor(redis.url));
    const { bus } = restarted.ports;
    await bus.subscribe('again', (text) => events.emit('text', text));
    const gap = new Promise<void>((resolve) => void bus.onGap(() => resolve()));
    await redis.kill();
    await expect(bus.publish('again', 'lost')).rejects.toThrow('Redis');
    await expect(bus.subscribe('late', () => undefined)).rejects.toThrow('Redis');
    await redis.startAgain();
    await gap;
    const heard = once(events, 'text');
    await bus.publish('again', 'back');
    expect(await heard).toEqual(['back']);
    // One of each connection
    expect(restarted.levels().filter((level) => level === 'error')).toHaveLength(2);
    expect(restarted.levels().filter((level) => level === 'notice')).toHaveLength(2);
    await restarted.ports.close();
  });
});
