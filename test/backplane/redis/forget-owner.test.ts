import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { CLIENTS, openRedis, type OpenedPorts } from '../../support/redis-ports.ts';
import { useRedis } from '../../support/services/use-services.ts';

const redis = useRedis();
const OWNER = 'o'.repeat(22);
const MANY = Array.from({ length: 2500 }, (_, index) => `${OWNER}.${String(index)}`);
const opened: OpenedPorts[] = [];

afterEach(async () => {
  for (const { ports } of opened.splice(0)) await ports.close();
});

test.each(Object.keys(CLIENTS))(
  'removes more than one step through the keys finds, over %s',
  async (library) => {
    // Characters that a pattern would read
    const options = { name: `a*[b]? ${randomUUID()}`, prefix: 'tw[a]*\\:' };
    const own = await openRedis(CLIENTS[library]?.(redis.url) as never, options);
    const other = await openRedis(CLIENTS[library]?.(redis.url) as never, {
      ...options,
      name: `other ${options.name}`,
    });
    opened.push(own, other);
    const { store } = own.ports;
    for (const { ports } of opened) {
      await Promise.all(MANY.map((key) => ports.store.put('results', key, { value: key, ttl: 60_000 })));
    }
    await store.put('results', 'nobody', { value: 'kept', ttl: 60_000 });
    expect(await store.forget?.('results', OWNER)).toBe(MANY.length);
    expect(await Promise.all(MANY.map((key) => store.get('results', key)))).toEqual(
      MANY.map(() => undefined),
    );
    expect(await store.get('results', 'nobody')).toMatchObject({ value: 'kept' });
    expect(await other.ports.store.forget?.('results', OWNER)).toBe(MANY.length);
  },
);
