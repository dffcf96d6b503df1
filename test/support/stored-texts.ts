import { randomUUID } from 'node:crypto';
import { createClient } from '@redis/client';
import type { Backplane } from 'toolwright';
import { postgresBackplane } from 'toolwright/postgres';
import { redisBackplane } from 'toolwright/redis';
import type { PostgresSchema } from './postgres-backplane.ts';
import type { UsedServer } from './services/use-services.ts';

/** Where instances keep everything: each text in it, with keys, for a search. */
export interface StoredTexts {
  readonly backplane: Backplane;
  dump(): Promise<readonly string[]>;
}

export const storesOf = (
  redis: UsedServer,
  postgres: PostgresSchema,
): Readonly<Record<string, () => StoredTexts>> => ({
  Redis: () => {
    const prefix = `tw-${randomUUID()}:`;
    const backplane = redisBackplane({ client: createClient({ url: redis.url }), prefix });
    const dump = async (): Promise<readonly string[]> => {
      const client = await createClient({ url: redis.url }).connect();
      const found: string[] = [];
      for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) {
        for (const key of keys) {
          const kind = await client.type(key);
          const texts: Readonly<Record<string, () => Promise<unknown>>> = {
            string: () => client.get(key),
            hash: () => client.hGetAll(key),
            zset: () => client.zRangeWithScores(key, 0, -1),
            stream: () => client.xRange(key, '-', '+'),
            set: () => client.sMembers(key),
          };
          const content = await texts[kind]?.();
          // What is in collections is looked at one by one
          const parts = Array.isArray(content) ? content : [content];
          for (const part of parts) found.push(`${key} ${JSON.stringify(part)}`);
        }
      }
      await client.close();
      return found;
    };
    return { backplane, dump };
  },
  PostgreSQL: () => {
    const backplane = postgresBackplane({ pool: postgres.pool, schema: postgres.schema });
    const dump = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const table of ['entries', 'events', 'tasks', 'limits', 'slots']) {
        // What is forgotten has its key and its version until the sweep
        const own = table === 'entries' ? 'WHERE held_until >= 0' : '';
        const rows = await postgres.run(`SELECT t::text AS text FROM OWN.${table} t ${own}`);
        found.push(...rows.map(({ text }) => `${table} ${String(text)}`));
      }
      return found;
    };
    return { backplane, dump };
  },
});
