import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { Pool, type PoolConfig } from 'pg';
import type { BackplanePorts, Logger } from 'toolwright';
import { postgresBackplane, type PostgresBackplaneOptions } from 'toolwright/postgres';
import { MemoryLogger } from './memory-logger.ts';
import { usePostgres } from './services/use-services.ts';

export type Ports = Required<Omit<BackplanePorts, 'queue'>>;

/** A schema of the shared database for the tests of a file, with its tables, and what tests open in it. */
export class PostgresSchema {
  readonly schema = `toolwright_${randomBytes(6).toString('hex')}`;
  readonly #server: { readonly url: string };
  readonly #closing: (() => Promise<unknown>)[] = [];
  readonly #opened: (() => Promise<unknown>)[] = [];
  #pool: Pool | undefined;

  constructor(server: { readonly url: string }) {
    this.#server = server;
  }

  get url(): string {
    return this.#server.url;
  }

  /** The first of its pools. */
  get pool(): Pool {
    return (this.#pool ??= this.newPool({ max: 40 }));
  }

  newPool(config: PoolConfig = {}): Pool {
    const pool = new Pool({ connectionString: this.url, max: 20, ...config });
    // It may still be closing connections when the server is stopped
    pool.on('error', () => {});
    this.#closing.push(() => pool.end());
    return pool;
  }

  /** The ports of one instance. */
  async open(
    name: string,
    options: Partial<PostgresBackplaneOptions> = {},
    logger: Logger = new MemoryLogger(),
  ): Promise<Ports> {
    const { pool = this.pool, schema = this.schema } = options;
    const ports = await postgresBackplane({ ...options, pool, schema }).open({ name, logger });
    this.#opened.push(async () => ports.close?.());
    return ports as Ports;
  }

  /** An instance whose time stands still until a test lets it pass. */
  async openTimed(
    name: string,
  ): Promise<{ ports: Ports; now(): number; pass(milliseconds: number): Promise<void> }> {
    let now = Math.floor(Date.now());
    const set = async (): Promise<void> => {
      await this.run(
        `CREATE OR REPLACE FUNCTION OWN.clock() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT ${String(now)}'`,
      );
    };
    await set();
    const pass = (milliseconds: number): Promise<void> => {
      now += milliseconds;
      return set();
    };
    return { ports: await this.open(name), now: () => now, pass };
  }

  /** Runs SQL, in which OWN stands for the schema. */
  async run(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await this.pool.query<Record<string, unknown>>(sql.replaceAll('OWN', this.schema), values)).rows;
  }

  async migrate(): Promise<void> {
    await postgresBackplane({ pool: this.pool, schema: this.schema }).migrate();
  }

  /** Closes the ports that a test has opened. */
  async closePorts(): Promise<void> {
    for (const close of this.#opened.splice(0)) await close();
  }

  async dispose(): Promise<void> {
    await this.run('DROP SCHEMA IF EXISTS OWN CASCADE');
    for (const close of this.#closing.splice(0).reverse()) await close();
  }
}

/** A schema with tables for the tests of a file. */
export function usePostgresSchema(): PostgresSchema {
  const schema = new PostgresSchema(usePostgres());
  beforeAll(() => schema.migrate());
  afterEach(() => schema.closePorts());
  afterAll(() => schema.dispose());
  return schema;
}

/** Waits for what another process causes; the time limit of the test ends it. */
export async function until(isSo: () => unknown): Promise<void> {
  while ((await isSo()) !== true) await sleep(5);
}
