import type { OnceStore, ResultEntry, ResultStore, SessionRecordStore, StoredSession } from '../../index.ts';
import type { Database } from './database.ts';
import { readText, storedKey, storedText, wholeTime } from './texts.ts';

/** Which questions were answered. */
export class PostgresOnceStore implements OnceStore {
  readonly #database: Database;
  readonly #add: string;
  readonly #replace: string;

  constructor(database: Database) {
    const { schema } = database;
    this.#database = database;
    this.#add = `WITH added AS (
      INSERT INTO ${schema}.once AS o (app, key, value, expires_at)
        VALUES ($1, $2, $3, ${schema}.clock() + $4::bigint)
        ON CONFLICT (app, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
          WHERE o.expires_at <= ${schema}.clock()
        RETURNING 1)
      SELECT NULL AS value FROM added UNION ALL
      SELECT value FROM ${schema}.once
        WHERE app = $1 AND key = $2 AND expires_at > ${schema}.clock() AND NOT EXISTS (SELECT FROM added)`;
    this.#replace = `UPDATE ${schema}.once SET value = $4, expires_at = ${schema}.clock() + $5::bigint
      WHERE app = $1 AND key = $2 AND value = $3 AND expires_at > ${schema}.clock() RETURNING 1`;
  }

  async add(key: string, value: string, lifetime: number): Promise<string | undefined> {
    const values = [this.#database.app, storedKey(key), storedText(value), wholeTime(lifetime)];
    for (;;) {
      // No row: somebody added one at the same time, which only the next statement sees
      const [row] = await this.#database.query(this.#add, values);
      if (row !== undefined) return row['value'] === null ? undefined : readText(row['value']);
    }
  }

  now(): Promise<number> {
    return this.#database.now();
  }

  async replace(key: string, current: string, next: string, lifetime: number): Promise<boolean> {
    const values = [storedKey(key), storedText(current), storedText(next), wholeTime(lifetime)];
    const rows = await this.#database.query(this.#replace, [this.#database.app, ...values]);
    return rows.length === 1;
  }

  forget(owner: string): Promise<number> {
    return this.#database.forget('once', owner);
  }
}

/** Results that were too large to be sent. */
export class PostgresResultStore implements ResultStore {
  readonly #database: Database;
  readonly #put: string;
  readonly #get: string;

  constructor(database: Database) {
    const { schema } = database;
    this.#database = database;
    this.#put = `INSERT INTO ${schema}.results (app, key, value, expires_at)
      VALUES ($1, $2, $3, ${schema}.clock() + $4::bigint)
      ON CONFLICT (app, key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`;
    this.#get = `SELECT value FROM ${schema}.results
      WHERE app = $1 AND key = $2 AND expires_at > ${schema}.clock()`;
  }

  async put(key: string, { value, lifetime }: ResultEntry): Promise<void> {
    const values = [this.#database.app, storedKey(key), storedText(value), wholeTime(lifetime)];
    await this.#database.query(this.#put, values);
  }

  async get(key: string): Promise<string | undefined> {
    const [row] = await this.#database.query(this.#get, [this.#database.app, storedKey(key)]);
    return row === undefined ? undefined : readText(row['value']);
  }

  forget(owner: string): Promise<number> {
    return this.#database.forget('results', owner);
  }
}

/** The sessions of 2025 clients. */
export class PostgresSessionStore implements SessionRecordStore {
  readonly #database: Database;
  readonly #load: string;
  readonly #create: string;
  readonly #update: string;
  readonly #remove: string;

  constructor(database: Database) {
    const { schema } = database;
    const own = `app = $1 AND key = $2`;
    this.#database = database;
    // Written only once in a twentieth of the lifetime, so that most calls of a session write nothing
    this.#load = `WITH slid AS (
      UPDATE ${schema}.sessions SET expires_at = ${schema}.clock() + $3::bigint WHERE ${own}
        AND expires_at > ${schema}.clock() AND expires_at < ${schema}.clock() + $3::bigint * 19 / 20)
      SELECT value, version FROM ${schema}.sessions WHERE ${own} AND expires_at > ${schema}.clock()`;
    this.#create = `INSERT INTO ${schema}.sessions AS s (app, key, value, version, expires_at)
      VALUES ($1, $2, $3, 1, ${schema}.clock() + $4::bigint)
      ON CONFLICT (app, key) DO UPDATE SET value = excluded.value, version = 1, expires_at = excluded.expires_at
        WHERE s.expires_at <= ${schema}.clock()
      RETURNING 1`;
    this.#update = `UPDATE ${schema}.sessions
      SET value = $3, version = version + 1, expires_at = ${schema}.clock() + $4::bigint
      WHERE ${own} AND version = $5 AND expires_at > ${schema}.clock() RETURNING 1`;
    this.#remove = `DELETE FROM ${schema}.sessions WHERE ${own}`;
  }

  async load(key: string, lifetime: number): Promise<StoredSession | undefined> {
    const values = [this.#database.app, storedKey(key), wholeTime(lifetime)];
    const [row] = await this.#database.query(this.#load, values);
    return row && { value: readText(row['value']), version: Number(row['version']) };
  }

  async save(key: string, value: string, version: number, lifetime: number): Promise<boolean> {
    const values = [this.#database.app, storedKey(key), storedText(value), wholeTime(lifetime)];
    const rows =
      version === 0
        ? await this.#database.query(this.#create, values)
        : await this.#database.query(this.#update, [...values, version]);
    return rows.length === 1;
  }

  async remove(key: string): Promise<void> {
    await this.#database.query(this.#remove, [this.#database.app, storedKey(key)]);
  }

  forget(owner: string): Promise<number> {
    return this.#database.forget('sessions', owner);
  }
}
