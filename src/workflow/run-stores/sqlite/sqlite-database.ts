import type { SqlDatabase, SqlRow, SqlSession, SqlValue } from '../sql/sql-database.ts';
import { withRetries } from '../sql/with-retries.ts';
import { inTurn } from './in-turn.ts';
import {
  isBusy,
  isOfSqlite,
  namedFailure,
  openSqliteClient,
  sqliteSession,
  type OpenSqliteClient,
  type SqliteClient,
  type SqliteClientOptions,
} from './sqlite-client.ts';
import { OnceMade } from '../../../shared/once-made.ts';
import { textOf } from '../sql/read-column.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { notDurable } from './wrong-option.ts';

/** Holds for a connection only; WAL holds for the file. */
const DURABLE = 'PRAGMA synchronous = FULL';

interface Connection {
  readonly client: SqliteClient;
  /** By which everything on one file takes turns. */
  readonly file: string;
}

/** One connection to one file, used for one thing at a time. */
export class SqliteDatabase implements SqlDatabase {
  readonly dialect = sqliteDialect;
  readonly #connection: OnceMade<Connection>;

  constructor(options: SqliteClientOptions, openClient: OpenSqliteClient = openSqliteClient) {
    this.#connection = new OnceMade(() => connect(options, openClient));
  }

  async open(): Promise<void> {
    await this.#connection.get();
  }

  async query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    return inTurnOf(await this.#connection.get(), (client) => sqliteSession(client).query(sql, values));
  }

  async transaction<Result>(work: (session: SqlSession) => Promise<Result>): Promise<Result> {
    return inTurnOf(await this.#connection.get(), async (client) => {
      const transaction = await client.transaction('write');
      try {
        const result = await work(sqliteSession(transaction));
        await transaction.commit();
        return result;
      } finally {
        transaction.close();
      }
    });
  }

  async close(): Promise<void> {
    const connection = await this.#connection.take();
    if (connection) await inTurn(connection.file, async () => connection.client.close());
  }
}

async function connect(options: SqliteClientOptions, openClient: OpenSqliteClient): Promise<Connection> {
  const client = await openClient(options).catch(throwNamed);
  try {
    const [main] = await sqliteSession(client).query(
      "SELECT file FROM pragma_database_list WHERE name = 'main'",
    );
    const file = main && textOf(main, 'file');
    if (file === undefined || file === '') throw notDurable();
    const connection = { client, file };
    await inTurnOf(connection, () => sqliteSession(client).query('PRAGMA journal_mode = WAL'));
    await inTurnOf(connection, () => sqliteSession(client).query(DURABLE));
    return connection;
  } catch (error) {
    client.close();
    throw namedFailure(error);
  }
}

function throwNamed(error: unknown): never {
  throw namedFailure(error);
}

async function inTurnOf<Result>(
  { client, file }: Connection,
  work: (client: SqliteClient) => Promise<Result>,
): Promise<Result> {
  return inTurn(file, () => withRetries(() => attempt(client, work), isBusy));
}

/**
 * The driver does not reset a statement that failed, and SQLite commits nothing while one is unfinished: without
 * another connection, one SQLITE_BUSY would fail every transaction after it.
 */
async function attempt<Result>(
  client: SqliteClient,
  work: (client: SqliteClient) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(client);
  } catch (error) {
    if (isOfSqlite(error)) {
      await client.reconnect();
      await sqliteSession(client).query(DURABLE);
    }
    throw error;
  }
}
