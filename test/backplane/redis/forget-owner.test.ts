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
    const { results } = own.ports;
    for (const { ports } of opened) {
      await Promise.all(
        MANY.map((key) => ports.results.put(key, { value: key, lifetime: 60_000, owner: OWNER })),
      );
    }
    await results.put('nobody', { value: 'kept', lifetime: 60_000, owner: undefined });
    expect(await results.forget?.(OWNER)).toBe(MANY.length);
    expect(await Promise.all(MANY.map((key) => results.get(key)))).toEqual(MANY.map(() => undefined));
    expect(await results.get('nobody')).toBe('kept');
    expect(await other.ports.results.forget?.(OWNER)).toBe(MANY.length);
  },
);
