import { RedisKeys } from '../../src/backplane/redis/redis-keys.ts';

/** The keys of an application whose backplane has no prefix of its own. */
export function redisKeysOf(name: string): RedisKeys {
  return new RedisKeys('tw:', name);
}
