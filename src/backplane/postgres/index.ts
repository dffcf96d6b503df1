export type { PostgresClient, PostgresPool } from '../../shared/postgres-pool.ts';
export {
  postgresBackplane,
  type PostgresBackplane,
  type PostgresBackplaneOptions,
} from './postgres-backplane.ts';
