import { SqlRunStore } from '../sql/sql-run-store.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { makePool, type PostgresPool } from './postgres-pool.ts';

/** Where the database is. */
export type PostgresRunStoreOptions =
  /** The store makes a pool, and ends it in `close`. */
  | { readonly connectionString: string }
  /** A `Pool` of `pg`, which the store leaves open. */
  | { readonly pool: PostgresPool };

/**
 * Keeps runs in PostgreSQL, through the optional package `pg`: for servers on many machines. The tables are made in
 * the schema that comes first on the search path.
 *
 * @throws WorkflowError `init` rejects with `TW_WORKFLOW_STORE_MISSING` without the package
 *
 * @example
 * const store = new PostgresRunStore({ connectionString: 'postgres://localhost/runs' });
 * await store.init();
 */
export class PostgresRunStore extends SqlRunStore {
  constructor(options: PostgresRunStoreOptions) {
    super(
      'pool' in options
        ? new PostgresDatabase(async () => options.pool, false)
        : new PostgresDatabase(() => makePool(options.connectionString), true),
    );
  }
}
