import { Redis, type RedisOptions } from 'ioredis';
import { Pool } from 'pg';
import type { Backplane } from 'toolwright';
import * as postgres from 'toolwright/postgres';
import * as redis from 'toolwright/redis';
import { OwnPostgres } from '../../support/services/own-postgres.ts';
import { OwnRedis } from '../../support/services/own-redis.ts';

/** What a store had to do up to now. */
export interface StoreCounts {
  /** Scripts of Redis, statements of PostgreSQL. */
  readonly commands: number;
  /** Messages that were sent over it. */
  readonly published: number;
  /** Messages that instances received, those of one message counted once for each. */
  readonly received: number;
}

/** What subscribers of a Redis have received. */
export interface ReceivedCounts {
  count: number;
  /** Of the messages by which each instance looks now and then whether its own still arrive. They count as nothing else. */
  echoes: number;
}

/** A store that counts what instances do with it; each has connections of its own to listen. */
export interface CountedStore extends AsyncDisposable {
  readonly backplane: () => Backplane;
  readonly counts: () => Promise<StoreCounts>;
}

export async function countRedis(): Promise<CountedStore> {
  const server = await OwnRedis.start();
  const { url, port } = server;
  const received = { count: 0, echoes: 0 };
  const admin = new Redis(url);
  const queues = redis.bullQueues({ connection: { host: '127.0.0.1', port } });
  return {
    backplane: () =>
      redis.redisBackplane({
        client: new CountingRedis(url, { lazyConnect: true }, received),
        queues,
        timeout: 30_000,
      }),
    counts: async () => {
      const calls = await readCalls(admin);
      const commands = (calls.get('evalsha') ?? 0) + (calls.get('eval') ?? 0);
      const published = (calls.get('publish') ?? 0) - received.echoes;
      return { commands, published, received: received.count };
    },
    [Symbol.asyncDispose]: async () => {
      admin.disconnect();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Counts the messages that its subscribers receive. */
export class CountingRedis extends Redis {
  readonly #received: ReceivedCounts;

  constructor(url: string, options: { readonly lazyConnect: true }, received: ReceivedCounts) {
    super(url, options);
    this.#received = received;
    this.on('message', (channel: string) => {
      received[channel.includes(':echo:') ? 'echoes' : 'count'] += 1;
    });
  }

  override duplicate(override: Partial<RedisOptions> = {}): Redis {
    const { host, port } = this.options;
    return new CountingRedis(
      `redis://${String(host)}:${String(port)}`,
      override as { readonly lazyConnect: true },
      this.#received,
    );
  }
}

/** How often each command was called, those of scripts among them. */
async function readCalls(client: Redis): Promise<ReadonlyMap<string, number>> {
  const found = (await client.info('commandstats')).matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm);
  return new Map([...found].map(([, command = '', calls]) => [command, Number(calls)]));
}

export async function countPostgres(): Promise<CountedStore> {
  const server = await OwnPostgres.start();
  const counts = { commands: 0, published: 0, received: 0 };
  // One for all, so that as many instances can listen as there are connections left
  const pool = countingPool(server.url, 10, counts).setMaxListeners(0);
  const queues = postgres.bullQueues({
    connection: { connectionString: server.url, schema: 'bull', migrate: true, max: 3 },
  });
  const listening: Pool[] = [];
  return {
    backplane: () => {
      const listen = countingPool(server.url, 1, counts);
      listening.push(listen);
      return postgres.postgresBackplane({ pool, listen, migrate: 'auto', queues });
    },
    counts: async () => ({ ...counts }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([pool, ...listening].map((each) => each.end()));
      await server[Symbol.asyncDispose]();
    },
  };
}

type Counts = { -readonly [Count in keyof StoreCounts]: StoreCounts[Count] };

function countingPool(url: string, max: number, counts: Counts): Pool {
  const pool = new Pool({ connectionString: url, max });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    const counting = (sql: unknown, ...rest: readonly unknown[]): unknown => {
      counts.commands += 1;
      if (/\bpublish\(|pg_notify/u.test(String(sql))) counts.published += 1;
      return query(sql, ...rest);
    };
    Object.assign(client, { query: counting });
    client.on('notification', () => (counts.received += 1));
  });
  return pool;
}
