import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { redisBackplane, type RedisBackplaneOptions, type RedisClient } from 'toolwright/redis';
import type { BackplanePorts, LogRecord } from 'toolwright';
import { MemoryLogger } from './memory-logger.ts';

/** Ports that a backplane over Redis has opened, all of them. */
export type RedisPorts = Required<Omit<BackplanePorts, 'queue'>>;

/** The clients that users bring, none of them connected. */
export const CLIENTS: Readonly<Record<string, (url: string) => RedisClient>> = {
  '@redis/client': (url) => createClient({ url }),
  ioredis: (url) => new Redis(url, { lazyConnect: true }),
};

export interface OpenedPorts {
  readonly ports: RedisPorts;
  readonly records: readonly LogRecord[];
  /** The levels of what was logged of the store. */
  levels(): readonly string[];
}

/** An instance of an application on a Redis. */
export async function openRedis(
  client: RedisClient,
  { name = 'app', ...options }: Partial<RedisBackplaneOptions> & { readonly name?: string } = {},
): Promise<OpenedPorts> {
  const logger = new MemoryLogger();
  const { records } = logger;
  // The default is short enough to pass on a busy machine, where many uses come at once
  const backplane = redisBackplane({ timeout: 60_000, ...options, client });
  const ports = (await backplane.open({ name, logger })) as RedisPorts;
  const levels = (): string[] =>
    records.flatMap(({ event, level }) => (event === 'backplane.store-failed' ? [level] : []));
  return { ports, records, levels };
}
