import {
  filledText,
  objectWith,
  required,
  rule,
  secret,
  type OptionRule,
  type OptionRules,
} from '../../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import { SqlRunStore } from '../sql/sql-run-store.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { makePool, type PostgresPool } from './postgres-pool.ts';

/** Where the database is. */
export type PostgresRunStoreOptions =
  /** The store makes a pool, and ends it in `close`. */
  | { readonly connectionString: string }
  /** A `Pool` of `pg`, which the store leaves open. */
  | { readonly pool: PostgresPool };

type Members = OptionRules<{ connectionString: string; pool: PostgresPool }>;

const poolRule = objectWith('a Pool of `pg`', 'connect', 'query', 'on', 'end');
/** It may have a password. */
const connectionRule: OptionRule = secret(filledText);

export const CONNECTION_RULES: Members = { connectionString: required(connectionRule), pool: poolRule };
export const POOL_RULES: Members = {
  connectionString: secret(rule('left out where there is a pool', () => false)),
  pool: required(poolRule),
};

/**
 * Keeps runs in PostgreSQL, through the optional package `pg`: for servers on many machines. The tables are made in
 * the schema that comes first on the search path.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION`; `init` rejects with `TW_WORKFLOW_STORE_MISSING` without the package
 *
 * @example
 * const store = new PostgresRunStore({ connectionString: 'postgres://localhost/runs' });
 * await store.init();
 */
export class PostgresRunStore extends SqlRunStore {
  constructor(options: PostgresRunStoreOptions) {
    const isPool = 'pool' in options;
    refuseWorkflowOptions('new PostgresRunStore()', options, isPool ? POOL_RULES : CONNECTION_RULES);
    super(
      isPool
        ? new PostgresDatabase(async () => options.pool, false)
        : new PostgresDatabase(() => makePool(options.connectionString), true),
    );
  }
}
