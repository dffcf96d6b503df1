import type { Client, InArgs, ResultSet } from '@libsql/client';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { OnceMade } from '../../shared/once-made.ts';
import { required, rule, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import type { IdempotencyEntry, IdempotencyStore, IdempotencyUpdate } from './idempotency-store.ts';

/** Options of `new SqliteIdempotencyStore()`. */
export interface SqliteIdempotencyStoreOptions {
  /** `file:` and a path with `%`, `?` and `#` escaped; a file of its own. The directory must exist. */
  readonly url: string;
  /** How long a statement waits for other processes, in milliseconds. Default 1000. */
  readonly busyTimeout?: number;
}

const RULES: OptionRules<SqliteIdempotencyStoreOptions> = {
  url: required(
    rule('a text that begins with "file:" and names a file', (url) =>
      /^file:(?!:memory:|$)/.test(String(url)),
    ),
  ),
  busyTimeout: wholeNumber(0, 2 ** 31 - 1),
};

const BUSY_TIMEOUT = 1000;

/** Times are milliseconds since 1970. The one row of `tw_fence` has the last number that was given. */
const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS tw_call (key TEXT PRIMARY KEY, value TEXT NOT NULL, fence INTEGER NOT NULL, held INTEGER NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS tw_call_until ON tw_call (until)',
  'CREATE TABLE IF NOT EXISTS tw_fence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)',
  'INSERT OR IGNORE INTO tw_fence (id, last) VALUES (1, 0)',
];
const NEXT_FENCE = 'UPDATE tw_fence SET last = last + 1 WHERE id = 1';
const FORGET = 'DELETE FROM tw_call WHERE until <= ?';
const FIND = 'SELECT value, fence, held FROM tw_call WHERE key = ? AND until > ?';
const INSERT =
  'INSERT INTO tw_call (key, value, fence, held, until) SELECT ?, ?, last, ?, ? FROM tw_fence WHERE true ON CONFLICT DO NOTHING RETURNING fence';
const TAKE_OVER =
  'UPDATE tw_call SET value = ?, held = ?, until = ?, fence = (SELECT last FROM tw_fence) WHERE key = ? AND fence = ? RETURNING fence';
const REPLACE = 'UPDATE tw_call SET value = ?, held = ?, until = ? WHERE key = ? AND fence = ? AND held > ?';
/** How a call has ended whose lease is over. */
const END_LATE =
  'UPDATE tw_call SET value = ?, held = ?, until = ?, fence = (SELECT last FROM tw_fence) WHERE key = ? AND fence = ? AND held <= ? AND until > ?';
/** All keys from the first on that stand before the second: a slash comes after a dot. */
const FORGET_OWNED = 'DELETE FROM tw_call WHERE key >= ? AND key < ?';

interface Statement {
  readonly sql: string;
  readonly args: InArgs;
}

/**
 * The {@link IdempotencyStore} in a SQLite file, through the optional package `@libsql/client`: it survives the process.
 * Processes of one machine may share the file.
 *
 * @throws ToolwrightError TW_APPLICATION_OPTION; its methods reject where the package is not installed
 *
 * @example
 * const idempotency = { store: new SqliteIdempotencyStore({ url: 'file:calls.db' }) };
 */
export class SqliteIdempotencyStore implements IdempotencyStore {
  readonly #client: OnceMade<Client>;
  readonly #now: () => number;
  /** One connection does one thing at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param now milliseconds since 1970 */
  constructor(options: SqliteIdempotencyStoreOptions, now = (): number => Date.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new SqliteIdempotencyStore()', options, RULES);
    const { url, busyTimeout = BUSY_TIMEOUT } = options;
    this.#client = new OnceMade(() => openFile(url, busyTimeout));
    this.#now = now;
  }

  async get(key: string): Promise<IdempotencyEntry | undefined> {
    const now = this.#now();
    const [found] = await this.#write([{ sql: FIND, args: [key, now] }]);
    const row = found?.rows[0];
    if (row === undefined) return undefined;
    const leaseLeft = Math.max(0, Number(row['held']) - now);
    return { value: row['value'] as string, fence: Number(row['fence']), leaseLeft };
  }

  async claim(
    key: string,
    expected: number | undefined,
    { value, lease, lifetime }: IdempotencyUpdate,
  ): Promise<number | undefined> {
    const now = this.#now();
    const [held, until] = [now + lease, now + lifetime];
    const put =
      expected === undefined
        ? { sql: INSERT, args: [key, value, held, until] }
        : { sql: TAKE_OVER, args: [value, held, until, key, expected] };
    const results = await this.#write([{ sql: FORGET, args: [now] }, { sql: NEXT_FENCE, args: [] }, put]);
    const row = results.at(-1)?.rows[0];
    return row === undefined ? undefined : Number(row['fence']);
  }

  async replace(key: string, fence: number, { value, lease, lifetime }: IdempotencyUpdate): Promise<boolean> {
    const now = this.#now();
    const args = [value, now + lease, now + lifetime, key, fence, now];
    const inTime = { sql: REPLACE, args };
    // One of the two finds the entry
    const late = { sql: END_LATE, args: [...args, now] };
    const results = await this.#write(lease > 0 ? [inTime] : [{ sql: NEXT_FENCE, args: [] }, late, inTime]);
    return results.slice(-2).some(({ rowsAffected }) => rowsAffected === 1);
  }

  async forget(owner: string): Promise<number> {
    const expired = { sql: FORGET, args: [this.#now()] };
    const owned = { sql: FORGET_OWNED, args: [`${owner}.`, `${owner}/`] };
    const [, removed] = await this.#write([expired, owned]);
    return removed?.rowsAffected ?? 0;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#turn.catch(() => undefined);
    const client = await this.#client.take();
    client?.close();
  }

  /** All of the statements, or none of them. */
  #write(statements: readonly Statement[]): Promise<readonly ResultSet[]> {
    const work = this.#turn.then(async () => {
      const client = await this.#client.get();
      try {
        return await client.batch([...statements], 'write');
      } catch (error) {
        // The driver does not reset a failed statement, which would make every later transaction fail
        (client as Client & { reconnect(): void }).reconnect();
        await client.execute(DURABLE);
        throw error;
      }
    });
    this.#turn = work.catch(() => undefined);
    return work;
  }
}

/** Applies per connection, whereas WAL applies to the file. */
const DURABLE = 'PRAGMA synchronous = FULL';

async function openFile(url: string, timeout: number): Promise<Client> {
  const { createClient } = await import('@libsql/client').catch((cause: unknown) => {
    throw new ToolwrightError('TW_IDEMPOTENCY_STORE_MISSING', {
      where: 'SqliteIdempotencyStore',
      what: 'needs the package @libsql/client, which cannot be loaded.',
      fix: 'npm install @libsql/client',
      cause,
    });
  });
  // One connection only: a PRAGMA applies to its connection, not to the next one
  const options = { url, timeout, concurrency: 1 };
  const client = createClient(options);
  try {
    await client.execute('PRAGMA journal_mode = WAL');
    await client.execute(DURABLE);
    await client.batch(SCHEMA, 'write');
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}
