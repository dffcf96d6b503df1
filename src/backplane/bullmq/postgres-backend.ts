import type { BackendFactory, PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import { ignoreBroken, type PostgresPool } from '../../shared/postgres-pool.ts';

/** What BullMQ takes beside the settings of a pool. */
interface BullSettings {
  readonly schema?: string;
  readonly skipVersionCheck?: boolean;
  readonly migrate?: boolean;
  readonly skipMigrations?: boolean;
  /** Of the pool. */
  readonly max?: number;
  readonly options?: string;
}

export type PostgresBackendFactory = BackendFactory<PostgresQueueBackend, PostgresConnectionOptions>;

/** The connections of a pool, unless more are asked for. */
const CONNECTIONS = 10;
/** Milliseconds of silence before the system looks whether a connection is still there. */
const KEEP_ALIVE = 10_000;

export function isPool(connection: object): connection is PostgresPool {
  return 'connect' in connection && 'query' in connection && 'end' in connection;
}

/**
 * Makes the connections of BullMQ for it. It has no listener for errors on some of them, so one that breaks at the wrong
 * moment would end the process; a pool of ours is guarded.
 */
export async function postgresBackend(connection: object): Promise<PostgresBackendFactory> {
  const { createPostgresBackend, quoteSchemaName, DEFAULT_SCHEMA } = await import('bullmq');
  if (isPool(connection)) return createPostgresBackend;
  const { Pool } = await import('pg');
  const { schema = DEFAULT_SCHEMA, skipVersionCheck = false, ...others } = connection as BullSettings;
  const { migrate, skipMigrations, max = CONNECTIONS, options = '', ...settings } = others;
  const path = `${options} -c search_path=${quoteSchemaName(schema)}`.trim();
  return (name, queue, kind) => {
    // One more, which stays taken by the worker that listens
    const pool = new Pool({
      ...{ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE },
      ...settings,
      ...{ max: max + 1, options: path },
    });
    ignoreBroken(pool);
    const backend = createPostgresBackend(name, { ...queue, connection: pool as never }, kind);
    // Of a pool that it is given, BullMQ takes its own schema for granted and migrates nothing: it reads these members later
    const read = { schema, skipVersionCheck, migrateOnConnect: migrate ?? skipMigrations === false };
    Object.assign(backend.connection, read, { ownsPool: true });
    return backend;
  };
}
