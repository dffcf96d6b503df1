import { codeOf } from '../rules/code-of.ts';
import { importPackage } from '../rules/import-package.ts';
import type { SqlRow } from '../sql/sql-database.ts';

type Listener = (error: Error) => void;

interface Queryable {
  query(sql: string, values?: unknown[]): Promise<{ readonly rows: SqlRow[] }>;
  on(event: 'error', listener: Listener): unknown;
  off(event: 'error', listener: Listener): unknown;
}

/** What is used of a client of `pg`. */
export interface PostgresClient extends Queryable {
  /** @param broken the connection is closed instead of being used again */
  release(broken?: boolean): void;
}

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool extends Queryable {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

export async function makePool(connectionString: string): Promise<PostgresPool> {
  const { Pool } = await importPackage('pg', () => import('pg'));
  return new Pool({ connectionString });
}

/** Without a listener, a connection that breaks ends the process. Whoever uses it next gets the error. */
export function ignoreBroken(source: Queryable): () => void {
  const ignore = () => undefined;
  source.on('error', ignore);
  return () => void source.off('error', ignore);
}

/** Serialization failure, deadlock, and a primary key that somebody else took in between. */
const TRANSIENT = new Set(['40001', '40P01', '23505']);

export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(codeOf(error) ?? '');
}
