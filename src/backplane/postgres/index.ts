export type { PostgresClient, PostgresPool } from '../../shared/postgres-pool.ts';
export {
  postgresBackplane,
  type PostgresBackplane,
  type PostgresBackplaneOptions,
} from './postgres-backplane.ts';
export type { PostgresEventOptions } from './postgres-event-store.ts';
export { postgresAuditStore, type PostgresAuditOptions } from './postgres-audit-store.ts';
export { bullQueues } from './bull-queues.ts';
export type { BullQueues, BullQueuesOptions, ClosableWorkQueue } from '../bullmq/bull-queues.ts';
