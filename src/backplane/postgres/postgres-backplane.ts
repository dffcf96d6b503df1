import type { BullQueues } from '../bullmq/bull-queues.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import type { Backplane, BackplaneApplication, BackplanePorts } from '../../index.ts';
import {
  objectOf,
  objectWith,
  oneOf,
  required,
  rule,
  wholeNumber,
  type OptionRules,
} from '../../shared/option-rules.ts';
import { unref } from '../../shared/platform.ts';
import { ignoreBroken, type PostgresPool } from '../../shared/postgres-pool.ts';
import { StoreHealth } from '../shared/store-health.ts';
import { MAX_OWNER_BYTES } from '../shared/store-write.ts';
import { Database } from './database.ts';
import { PostgresBus } from './postgres-bus.ts';
import {
  POSTGRES_EVENT_RULES,
  PostgresEventStore,
  type PostgresEventOptions,
} from './postgres-event-store.ts';
import { PostgresLimitStore } from './postgres-limit-store.ts';
import { PostgresSlotStore } from './postgres-slot-store.ts';
import { PostgresStore } from './postgres-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';
import { checkServer, checkTables, startFailure } from './start-up.ts';
import { migrationScript } from './tables.ts';

/** Options of `postgresBackplane()`. */
export interface PostgresBackplaneOptions {
  /**
   * A `Pool` of `pg`, which is left open at the end. Each instance keeps one of its connections to listen. Let it have
   * `connectionTimeoutMillis: 1000` and `statement_timeout: 1000`, so that the server gives up when this process does.
   */
  readonly pool: PostgresPool;
  /**
   * The pool of the connection that listens, where `pool` goes through a pooler of transactions such as PgBouncer, which
   * passes on no notices. Default: `pool`.
   */
  readonly listen?: PostgresPool;
  /** The schema of the tables: lower-case letters, digits and `_`. Default `toolwright`. */
  readonly schema?: string;
  /**
   * Whether an application makes the tables when it starts, or refuses to start where they are missing or of another
   * version: then `toolwright migrate` makes them. Default `check`.
   */
  readonly migrate?: 'auto' | 'check';
  /**
   * Bytes that calls with keys, answers, results and sessions of one owner may take, about, each of the four for itself; above them, what needs more is
   * refused. Callers who are not known are not counted. Default 64 MiB.
   */
  readonly maxBytesPerOwner?: number;
  /** How much is kept of the streams of 2025 clients. */
  readonly events?: PostgresEventOptions;
  /** Where tasks of queues are put: what `bullQueues()` gave. Default: they run in the instance that is called. */
  readonly queues?: BullQueues;
}

/** A {@link Backplane} in PostgreSQL. */
export interface PostgresBackplane extends Backplane {
  /** What `migrate` runs, for those who run it by hand. */
  readonly sql: string;
  /**
   * Makes the tables, or brings them to the version of this release. Several at once wait for each other.
   * @throws ToolwrightError TW_BACKPLANE_STORE
   */
  migrate(): Promise<void>;
}

const poolRule = objectWith('a Pool of `pg`', 'connect', 'query', 'on', 'off');
export const POSTGRES_BACKPLANE_RULES: OptionRules<PostgresBackplaneOptions> = {
  pool: required(poolRule),
  listen: poolRule,
  schema: rule(
    'a name of lower-case letters, digits and _',
    (name) => typeof name === 'string' && /^[a-z_][a-z0-9_]{0,62}$/.test(name),
  ),
  migrate: oneOf('auto', 'check'),
  maxBytesPerOwner: wholeNumber(1),
  events: objectOf(POSTGRES_EVENT_RULES),
  queues: objectWith('what `bullQueues()` gave', 'open'),
};

/**
 * Keeps what the instances of an application share in PostgreSQL (13 or later), with the package `pg`.
 *
 * @throws ToolwrightError TW_BACKPLANE_OPTION; the application does not start with TW_BACKPLANE_STORE
 *
 * @example
 * import { Pool } from 'pg';
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], connectionTimeoutMillis: 1000 });
 * const secrets = [process.env['TOOLWRIGHT_SECRET'] ?? ''];
 * const app = await McpApplication.create(AppModule, { backplane: postgresBackplane({ pool }), secrets });
 */
export function postgresBackplane(options: PostgresBackplaneOptions): PostgresBackplane {
  refuseOptions('TW_BACKPLANE_OPTION', 'postgresBackplane()', options, POSTGRES_BACKPLANE_RULES);
  const { pool, listen = pool, schema = 'toolwright', migrate = 'check', events = {} } = options;
  const { maxBytesPerOwner = MAX_OWNER_BYTES } = options;
  const sql = migrationScript(`"${schema}"`);
  /** At the start, a server may take its time. */
  const atStart = async (work: (query: Query) => Promise<void>): Promise<void> => {
    const detach = ignoreBroken(pool);
    try {
      await work(async (text) => (await pool.query(text)).rows);
    } catch (error) {
      throw startFailure(error, schema);
    } finally {
      detach();
    }
  };
  const migrateNow = async (query: Query): Promise<void> => {
    await checkServer(query);
    await query(sql);
  };
  return {
    sql,
    migrate: () => atStart(migrateNow),
    open: async (application) => {
      await atStart(async (query) => {
        await (migrate === 'auto' ? migrateNow(query) : checkServer(query));
        await checkTables(query, schema);
      });
      return openPorts(application, { pool, listen, schema, events, maxBytesPerOwner }, options.queues);
    },
  };
}

type Query = Parameters<typeof checkServer>[0];

async function openPorts(
  application: BackplaneApplication,
  {
    pool,
    listen,
    schema,
    events,
    maxBytesPerOwner,
  }: Required<Omit<PostgresBackplaneOptions, 'migrate' | 'queues'>>,
  queues: BullQueues | undefined,
): Promise<BackplanePorts> {
  const { name, logger } = application;
  const opened = queues?.open(application);
  const health = new StoreHealth('PostgreSQL', logger);
  const database = new Database(name, `"${schema}"`, pool, health);
  const bus = new PostgresBus(database, listen, health);
  const tasks = new PostgresTaskStore(database, bus);
  const slots = new PostgresSlotStore(database, bus);
  const stopSweeping = sweepNowAndThen(database);
  const close = async (): Promise<void> => {
    await opened?.close();
    stopSweeping();
    slots.close();
    bus.close();
    database.close();
  };
  try {
    await bus.open();
  } catch (error) {
    await close();
    throw startFailure(error, schema);
  }
  return {
    ...(opened === undefined ? {} : { queue: opened }),
    bus,
    store: new PostgresStore(database, maxBytesPerOwner),
    tasks,
    counter: new PostgresLimitStore(database),
    slots,
    events: new PostgresEventStore(database, events),
    close,
  };
}

const SWEEP_INTERVAL = 30_000;
const SWEPT_AT_ONCE = 500;

/** Each instance deletes what is expired now and then, a little at a time. */
function sweepNowAndThen(database: Database): () => void {
  const sql = `SELECT ${database.schema}.sweep(${String(SWEPT_AT_ONCE)}) AS most`;
  let timer: NodeJS.Timeout;
  const wait = (milliseconds: number): void => {
    timer = setTimeout(() => {
      database.query(sql).then(
        ([row]) => {
          wait(Number(row?.['most']) === SWEPT_AT_ONCE ? 0 : SWEEP_INTERVAL * (0.5 + Math.random()));
        },
        () => {
          wait(SWEEP_INTERVAL);
        },
      );
    }, milliseconds);
    unref(timer);
  };
  wait(SWEEP_INTERVAL * Math.random());
  return () => {
    clearTimeout(timer);
  };
}
