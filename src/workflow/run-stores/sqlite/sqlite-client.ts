import { codeOf } from '../rules/code-of.ts';
import { importPackage } from '../rules/import-package.ts';
import type { SqlRow, SqlSession, SqlValue } from '../sql/sql-database.ts';

const CANNOT_OPEN = /Unable to open connection to local database .*: 14\b/s;

interface Statement {
  readonly sql: string;
  readonly args: SqlValue[];
}

/** What is used of a client or a transaction of `@libsql/client`. */
interface Executor {
  execute(statement: Statement): Promise<{ readonly rows: readonly SqlRow[] }>;
}

export interface SqliteTransaction extends Executor {
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

export type OpenSqliteClient = (options: SqliteClientOptions) => Promise<SqliteClient>;

/** One connection only: what a PRAGMA sets holds for the connection, and the next one would not have it. */
export async function openSqliteClient(options: SqliteClientOptions): Promise<SqliteClient> {
  const { createClient } = await importPackage('@libsql/client', () => import('@libsql/client'));
  return createClient({ ...options, concurrency: 1 });
}

export function sqliteSession(executor: Executor): SqlSession {
  return {
    async query(sql, values = []) {
      const { rows } = await executor.execute({ sql: sql.replaceAll('$', '?'), args: [...values] });
      return rows;
    },
  };
}

/** The driver gives no code for a file that it cannot open, only the number of SQLITE_CANTOPEN in its message. */
export function namedFailure(error: unknown): unknown {
  const isNameless = codeOf(error) === undefined && CANNOT_OPEN.test(String(error));
  return isNameless
    ? Object.assign(new Error(String(error), { cause: error }), { code: 'SQLITE_CANTOPEN' })
    : error;
}

export function isBusy(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_BUSY';
}

export function isOfSqlite(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_') === true;
}
