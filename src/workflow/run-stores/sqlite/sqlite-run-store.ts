import { required, text, wholeNumber, type OptionRules } from '../../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import { CheckedRunStore } from '../checked-run-store.ts';
import { SqlRuns } from '../sql/sql-runs.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import {
  type SqlDatabase,
  type SqlRow,
  type SqlSession,
  type SqlValue,
  withRetries,
  textOf,
  type SqlDialect,
} from '../sql/sql-database.ts';
import { OnceMade } from '../../../shared/once-made.ts';
import { codeOf } from '../../../shared/error-shape.ts';
import { importPackage } from '../store-failures.ts';

const BUSY_TIMEOUT = 5000;
/** SQLite counts milliseconds in 32 bits. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/** Options of `new SqliteRunStore()`. */
export interface SqliteRunStoreOptions {
  /**
   * `file:` and a path with `%`, `?` and `#` escaped. A relative path starts at the working directory. The
   * directory must exist.
   */
  readonly url: string;
  /** How long a statement waits for other processes, in milliseconds, up to four times. Default 5000. */
  readonly busyTimeout?: number;
}

export const SQLITE_RULES: OptionRules<SqliteRunStoreOptions> = {
  url: required(text),
  busyTimeout: wholeNumber(0, LONGEST_TIMEOUT),
};

/**
 * Keeps runs in a SQLite file, through the optional package `@libsql/client`. Processes of one machine may share it.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION`, also for another kind of URL, or one of a database in memory; `init`
 *   rejects with `TW_WORKFLOW_STORE_MISSING` without the package
 *
 * @example
 * const store = new SqliteRunStore({ url: 'file:runs.db' });
 * await store.init();
 */
export class SqliteRunStore extends CheckedRunStore {
  /** Checks the options; `init` opens the file. */
  constructor(options: SqliteRunStoreOptions) {
    refuseWorkflowOptions('new SqliteRunStore()', options, SQLITE_RULES);
    const { url, busyTimeout = BUSY_TIMEOUT } = options;
    super(new SqlRuns(new SqliteDatabase({ url: checkFileUrl(url), timeout: busyTimeout })));
  }
}

const IN_MEMORY = ':memory:';

/**
 * The URL of a SQLite file at a path.
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for a path that names no file
 */
export function fileUrlOf(path: string): string {
  // The driver takes all other characters literally
  const escaped = path.replaceAll(/[%?#]/g, (sign) => encodeURIComponent(sign));
  // Two slashes would introduce a host
  return checkFileUrl(escaped.startsWith('//') ? `file://${escaped}` : `file:${escaped}`);
}

/** @throws WorkflowError `TW_WORKFLOW_OPTION` for what is not a URL of a file */
function checkFileUrl(url: string): string {
  if (!url.startsWith('file:')) {
    const scheme = /^[a-z]*:?/.exec(url)?.[0];
    throw wrongOption('url', `The url of a SqliteRunStore begins with "file:", not with "${scheme}".`);
  }
  const path = /^file:(?:\/\/[^/?#]*)?([^?#]*)/.exec(url)?.[1] ?? '';
  if (path === '' || path === IN_MEMORY) throw notDurable();
  return url;
}

const owner = 'SqliteRunStore';

function wrongOption(option: string, message: string): WorkflowError<'TW_WORKFLOW_OPTION'> {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: `${owner}, option ${option}`,
    message,
    details: { option },
    suggestions: [`new ${owner}({ url: 'file:runs.db' })`],
  });
}

/** SQLite accepts such a URL, but loses everything when the connection closes. */
function notDurable(): WorkflowError<'TW_WORKFLOW_OPTION'> {
  return wrongOption('url', 'The url of a SqliteRunStore names a file: without one, nothing would be kept.');
}

/** Applies per connection, whereas WAL applies to the file. */
const DURABLE = 'PRAGMA synchronous = FULL';

interface Connection {
  readonly client: SqliteClient;
  /** Work on the same file takes turns. */
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
 * The driver does not reset a failed statement, and SQLite cannot commit while a statement is unfinished: without
 * a new connection, one SQLITE_BUSY would make every later transaction fail.
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

const CANNOT_OPEN = /Unable to open connection to local database .*: 14\b/s;

interface Statement {
  readonly sql: string;
  readonly args: SqlValue[];
}

/** The part of a client or transaction of `@libsql/client` that is used here. */
interface Executor {
  execute(statement: Statement): Promise<{ readonly rows: readonly SqlRow[] }>;
}

interface SqliteTransaction extends Executor {
  commit(): Promise<void>;
  close(): void;
}

export interface SqliteClient extends Executor {
  transaction(mode: 'write'): Promise<SqliteTransaction>;
  /** Drops its connection; the next statement opens another one. */
  reconnect(): unknown;
  close(): void;
}

export interface SqliteClientOptions {
  readonly url: string;
  readonly timeout: number;
}

type OpenSqliteClient = (options: SqliteClientOptions) => Promise<SqliteClient>;

/** Uses one connection only: a PRAGMA applies to its connection, not to the next one. */
export async function openSqliteClient(options: SqliteClientOptions): Promise<SqliteClient> {
  const { createClient } = await importPackage('@libsql/client', () => import('@libsql/client'));
  return createClient({ ...options, concurrency: 1 });
}

function sqliteSession(executor: Executor): SqlSession {
  return {
    async query(sql, values = []) {
      const { rows } = await executor.execute({ sql: sql.replaceAll('$', '?'), args: [...values] });
      return rows;
    },
  };
}

/** For a file that cannot be opened, the driver sets no code; the message has the number of SQLITE_CANTOPEN. */
function namedFailure(error: unknown): unknown {
  const isNameless = codeOf(error) === undefined && CANNOT_OPEN.test(String(error));
  return isNameless
    ? Object.assign(new Error(String(error), { cause: error }), { code: 'SQLITE_CANTOPEN' })
    : error;
}

function isBusy(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_BUSY';
}

function isOfSqlite(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_') === true;
}

/** SQLite compares text byte by byte by default, and a writing transaction locks out all others. */
const sqliteDialect: SqlDialect = Object.freeze({
  text: 'text',
  forUpdate: '',
  position: 'instr',
  findMeta: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'tw_meta'",
  now: "CAST(unixepoch('subsec') * 1000 AS integer)",
});

type Turns = Map<string, Promise<void>>;

const TURNS = Symbol.for('toolwright:sqlite-turns');

/** State on the process itself: module state would differ between copies of the package. */
const holder: { [TURNS]?: Turns | undefined } = process as object;

/**
 * Runs work on a database file after all earlier work on it. SQLite blocks the event loop while it waits for a lock:
 * two transactions of one process would wait for each other until the timeout.
 */
async function inTurn<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const waiting = (holder[TURNS] ??= new Map<string, Promise<void>>());
  const result = (waiting.get(file) ?? Promise.resolve()).then(work);
  const settled = result.then(
    () => undefined,
    () => undefined,
  );
  waiting.set(file, settled);
  await settled;
  if (waiting.get(file) === settled) waiting.delete(file);
  return result;
}
