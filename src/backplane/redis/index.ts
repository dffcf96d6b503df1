export type { RedisEventOptions } from './event-store.ts';
export { redisBackplane, type RedisBackplaneOptions } from './redis-backplane.ts';
export type { RedisClient } from './redis-client.ts';
