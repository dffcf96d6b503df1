import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { ApplicationOptions } from 'toolwright';
import * as postgres from 'toolwright/postgres';
import * as redis from 'toolwright/redis';

/** The options of instances that share tasks and queues in a store, whose leases are short. */
export function sharedQueues(url: string, name: string): ApplicationOptions {
  return {
    name,
    backplane: url.startsWith('redis:') ? onRedis(url) : onPostgres(url, name),
    secrets: ['of 32 bytes, which only the instances know'],
    tasks: { lease: 1000, pollInterval: 50, ttl: 120_000 },
    drainTimeout: 0,
    logger: () => undefined,
  };
}

function onRedis(url: string): NonNullable<ApplicationOptions['backplane']> {
  const { hostname, port, pathname } = new URL(url);
  const db = Number(pathname.slice(1));
  const connection = { host: hostname, port: Number(port), ...(db > 0 ? { db } : {}) };
  const queues = redis.bullQueues({ connection });
  return redis.redisBackplane({ client: new Redis(url, { lazyConnect: true }), queues });
}

function onPostgres(url: string, name: string): NonNullable<ApplicationOptions['backplane']> {
  const pool = new Pool({ connectionString: url, max: 5, allowExitOnIdle: true });
  pool.on('error', () => undefined);
  const queues = postgres.bullQueues({
    connection: {
      connectionString: url,
      schema: `bull_${name}`,
      migrate: true,
      allowExitOnIdle: true,
      max: 5,
    },
  });
  return postgres.postgresBackplane({ pool, schema: name, migrate: 'auto', queues });
}
