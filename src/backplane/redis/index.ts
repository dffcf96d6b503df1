export type { RedisEventOptions } from './event-store.ts';
export { redisBackplane, type RedisBackplaneOptions } from './redis-backplane.ts';
export { RedisWorkflowCache, type RedisWorkflowCacheOptions } from './workflow-cache.ts';
export type { RedisClient } from './redis-client.ts';
export { bullQueues } from './bull-queues.ts';
export type { BullQueues, BullQueuesOptions, ClosableWorkQueue } from '../bullmq/bull-queues.ts';
