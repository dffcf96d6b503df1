import type { AuditRecord, AuditStore } from '../../audit/index.ts';
import { refuseOptions } from '../../errors/option-errors.ts';
import type { ToolwrightError } from '../../errors/toolwright-error.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { filledText, type OptionRules } from '../../shared/option-rules.ts';
import { ignoreBroken, type PostgresClient, type PostgresPool } from '../../shared/postgres-pool.ts';
import { inTime } from '../shared/store-health.ts';
import { DEADLINE, type Row } from './database.ts';
import { POSTGRES_BACKPLANE_RULES } from './postgres-backplane.ts';
import { startFailure } from './start-up.ts';

/** Options of `postgresAuditStore()`. */
export interface PostgresAuditOptions {
  /** A `Pool` of `pg`, which is left open at the end. Let it have `statement_timeout: 1000`. */
  readonly pool: PostgresPool;
  /** Applications that share a schema have audits of their own by this name. Default `audit`. */
  readonly name?: string;
  /** The schema of the tables, which `toolwright migrate` makes. Default `toolwright`. */
  readonly schema?: string;
}

const { pool: poolRule, schema: schemaRule } = POSTGRES_BACKPLANE_RULES;
const RULES: OptionRules<PostgresAuditOptions> = { pool: poolRule, name: filledText, schema: schemaRule };
const PAGE = 1000;

/**
 * Keeps audit records in a table of PostgreSQL (13 or later) that takes new rows only: triggers refuse UPDATE, DELETE and
 * TRUNCATE. Give the role of the application `INSERT` and `SELECT` on it, and no more.
 *
 * @throws ToolwrightError TW_BACKPLANE_OPTION
 * @example
 * import { Pool } from 'pg';
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 1000 });
 * const app = await McpApplication.create(AppModule, { audit: { store: postgresAuditStore({ pool }) } });
 */
export function postgresAuditStore(options: PostgresAuditOptions): AuditStore {
  refuseOptions('TW_BACKPLANE_OPTION', 'postgresAuditStore()', options, RULES);
  const { pool, name = 'audit', schema = 'toolwright' } = options;
  return new PostgresAuditStore(pool, name, schema);
}

class PostgresAuditStore implements AuditStore {
  readonly #pool: PostgresPool;
  readonly #name: string;
  readonly #schemaName: string;
  /** Quoted. */
  readonly #schema: string;
  #detach: (() => void) | undefined;

  constructor(pool: PostgresPool, name: string, schemaName: string) {
    this.#pool = pool;
    this.#name = name;
    this.#schemaName = schemaName;
    this.#schema = `"${schemaName}"`;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    await this.#query(
      `INSERT INTO ${this.#schema}.audit (app, chain, seq, record)
       SELECT $1, chain, seq, record FROM unnest($2::text[], $3::bigint[], $4::text[])
         WITH ORDINALITY AS given (chain, seq, record, place) ORDER BY place`,
      [
        records.map(({ chain }) => chain),
        records.map(({ seq }) => seq),
        records.map((record) => canonicalJson(record)),
      ],
    );
  }

  async *read(): AsyncGenerator<string> {
    // One view of the table: a record that is committed late must not look like one that is missing
    const { client, end } = await this.#begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    let isWhole = false;
    try {
      for (let after: unknown = 0; ;) {
        const { rows } = await client.query(
          `SELECT position, record FROM ${this.#schema}.audit WHERE app = $1 AND position > $2
           ORDER BY position LIMIT ${String(PAGE)}`,
          [this.#name, after],
        );
        for (const { record } of rows) yield String(record);
        after = rows.at(-1)?.['position'];
        if (rows.length < PAGE) break;
      }
      await client.query('COMMIT');
      isWhole = true;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      end(isWhole);
    }
  }

  async last(): Promise<string | undefined> {
    const [row] = await this.#query(
      `SELECT record FROM ${this.#schema}.audit WHERE app = $1 ORDER BY position DESC LIMIT 1`,
      [],
    );
    return row && String(row['record']);
  }

  async prune(chain: string, before: number): Promise<number> {
    const { client, end } = await this.#begin('BEGIN');
    let isWhole = false;
    try {
      // What a year has left takes longer than other statements may, and half of it must not stay
      await client.query('SET LOCAL statement_timeout = 0');
      const { rows } = await client.query(`SELECT ${this.#schema}.prune_audit($1, $2, $3) AS removed`, [
        this.#name,
        chain,
        before,
      ]);
      await client.query('COMMIT');
      isWhole = true;
      return Number(rows[0]?.['removed']);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      end(isWhole);
    }
  }

  async close(): Promise<void> {
    this.#detach?.();
    this.#detach = undefined;
  }

  /** The first value is the name of the audit. */
  async #query(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    this.#detach ??= ignoreBroken(this.#pool);
    try {
      return (await inTime(this.#pool.query(sql, [this.#name, ...values]), DEADLINE, 'PostgreSQL')).rows;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** A transaction on a connection of its own, which is destroyed where it does not come to its end. */
  async #begin(sql: string): Promise<{ client: PostgresClient; end: (isWhole: boolean) => void }> {
    this.#detach ??= ignoreBroken(this.#pool);
    try {
      const client = await this.#pool.connect();
      const end = (isWhole: boolean): void => {
        client.release(!isWhole);
      };
      await client.query(sql).catch((error: unknown) => {
        end(false);
        throw error;
      });
      return { client, end };
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(cause: unknown): ToolwrightError {
    return startFailure(cause, this.#schemaName);
  }
}
