import { Buffer } from 'node:buffer';
import type { Client, InArgs, ResultSet } from '@libsql/client';
import { refuseOptions } from '../../errors/option-errors.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import { OnceMade } from '../../shared/once-made.ts';
import { required, rule, wholeNumber, type OptionRules } from '../../shared/option-rules.ts';
import type { Store, StoreEntry, StoreWrite, StoreWritten } from './store.ts';

/** Options of `new SqliteStore()`. */
export interface SqliteStoreOptions {
  /** `file:` and a path with `%`, `?` and `#` escaped; a file of its own. The directory must exist. */
  readonly url: string;
  /** How long a statement waits for other processes, in milliseconds. Default 1000. */
  readonly busyTimeout?: number;
}

const RULES: OptionRules<SqliteStoreOptions> = {
  url: required(
    rule('a text that begins with "file:" and names a file', (url) =>
      /^file:(?!:memory:|$)/.test(String(url)),
    ),
  ),
  busyTimeout: wholeNumber(0, 2 ** 31 - 1),
};

const BUSY_TIMEOUT = 1000;

/** Times are milliseconds since 1970. The one row of `tw_fence` has the last version that was given. */
const SCHEMA = [
  'CREATE TABLE IF NOT EXISTS tw_entry (collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, version INTEGER NOT NULL, held INTEGER NOT NULL, until INTEGER NOT NULL, owner TEXT, size INTEGER NOT NULL, PRIMARY KEY (collection, key)) WITHOUT ROWID',
  'CREATE INDEX IF NOT EXISTS tw_entry_until ON tw_entry (until)',
  'CREATE INDEX IF NOT EXISTS tw_entry_owner ON tw_entry (collection, owner) WHERE owner IS NOT NULL',
  'CREATE TABLE IF NOT EXISTS tw_fence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL)',
  'INSERT OR IGNORE INTO tw_fence (id, last) VALUES (1, 0)',
];
const EXPIRE = 'DELETE FROM tw_entry WHERE until <= :now';
const OWN = 'collection = :collection AND key = :key';
const FIND = `SELECT value, version, held FROM tw_entry WHERE ${OWN} AND until > :now`;
/** Written only once in a twentieth of the lifetime, so that most reads write nothing. */
const SLIDE = `UPDATE tw_entry SET until = :now + :keep WHERE ${OWN} AND until > :now AND until < :now + :keep * 19 / 20`;
const NEXT_VERSION = 'UPDATE tw_fence SET last = last + 1 WHERE id = 1 RETURNING last AS version';
/** All keys from the first on that stand before the second: a slash comes after a dot. */
const FORGET = 'DELETE FROM tw_entry WHERE collection = :collection AND key >= :from AND key < :before';

/** What has to be there for a write, of the entry that the statement finds. */
const MET = {
  any: 'true',
  version: 'version = :wanted',
  held: 'version = :wanted AND held > :now',
} as const;
const HAS_ROOM = `(:bytes IS NULL OR :size + (SELECT coalesce(sum(size), 0) FROM tw_entry
  WHERE collection = :collection AND owner = :owner AND key <> :key) <= :bytes)`;
const INSERT = `INSERT INTO tw_entry (collection, key, value, version, held, until, owner, size)
  SELECT :collection, :key, :value, last, :held, :until, :owner, :size FROM tw_fence WHERE ${HAS_ROOM}`;
const CHANGE = `value = :value, held = :held, until = :until, size = :size,
  version = CASE WHEN :stays THEN version ELSE (SELECT last FROM tw_fence) END`;

function putStatement(condition: keyof typeof MET | 'absent'): string {
  if (condition === 'absent') return `${INSERT} ON CONFLICT DO NOTHING RETURNING version`;
  if (condition === 'any') return `${INSERT} ON CONFLICT DO UPDATE SET ${CHANGE} RETURNING version`;
  return `UPDATE tw_entry SET ${CHANGE} WHERE ${OWN} AND ${MET[condition]} AND ${HAS_ROOM} RETURNING version`;
}

/** Of what is forgotten no row stays: versions come from one row, which does. */
function forgetStatement(condition: keyof typeof MET | 'absent'): string {
  const met = condition === 'absent' ? 'false' : MET[condition];
  return `DELETE FROM tw_entry WHERE ${OWN} AND ${met} RETURNING version`;
}

interface Statement {
  readonly sql: string;
  readonly args: InArgs;
}

/**
 * The {@link Store} in a SQLite file, through the optional package `@libsql/client`: it survives the process. Processes of
 * one machine may share the file.
 *
 * @throws ToolwrightError TW_APPLICATION_OPTION; its methods reject where the package is not installed
 *
 * @example
 * const backplane = { store: new SqliteStore({ url: 'file:calls.db' }) };
 */
export class SqliteStore implements Store {
  readonly #client: OnceMade<Client>;
  readonly #now: () => number;
  /** One connection does one thing at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param now milliseconds since 1970 */
  constructor(options: SqliteStoreOptions, now = (): number => Date.now()) {
    refuseOptions('TW_APPLICATION_OPTION', 'new SqliteStore()', options, RULES);
    const { url, busyTimeout = BUSY_TIMEOUT } = options;
    this.#client = new OnceMade(() => openFile(url, busyTimeout));
    this.#now = now;
  }

  async get(
    collection: string,
    key: string,
    { keep }: { readonly keep?: number } = {},
  ): Promise<StoreEntry | undefined> {
    const now = this.#now();
    const args = { collection, key, now };
    const find = { sql: FIND, args };
    const slide = { sql: SLIDE, args: { ...args, keep: keep ?? 0 } };
    const results = await this.#write(keep === undefined ? [find] : [slide, find]);
    return entryOf(results.at(-1), now);
  }

  async put(collection: string, key: string, write: StoreWrite): Promise<StoreWritten> {
    const now = this.#now();
    const [condition, wanted] = conditionOf(write.if);
    const args = { ...argumentsOf(collection, key, write, now), wanted };
    const isForgotten = write.ttl <= 0;
    const sql = isForgotten ? forgetStatement(condition) : putStatement(condition);
    const [, next, changed, found] = await this.#write([
      { sql: EXPIRE, args: { now } },
      { sql: NEXT_VERSION, args: [] },
      { sql, args: namedIn(sql, args) },
      { sql: FIND, args: { collection, key, now } },
    ]);
    const version = Number((isForgotten ? next : changed)?.rows[0]?.['version']);
    if (changed?.rows.length === 1) return { version };
    const entry = entryOf(found, now);
    if (!isMet(condition, wanted, entry)) return { refused: entry };
    return isForgotten ? { version } : { full: 'owner' };
  }

  async delete(collection: string, key: string, version?: number): Promise<boolean> {
    const args = { collection, key, now: this.#now() };
    const sql = `DELETE FROM tw_entry WHERE ${OWN} AND until > :now`;
    const [removed] = await this.#write([
      version === undefined
        ? { sql, args }
        : { sql: `${sql} AND ${MET.version}`, args: { ...args, wanted: version } },
    ]);
    return removed?.rowsAffected === 1;
  }

  async forget(collection: string, owner: string): Promise<number> {
    const [, removed] = await this.#write([
      { sql: EXPIRE, args: { now: this.#now() } },
      { sql: FORGET, args: { collection, from: `${owner}.`, before: `${owner}/` } },
    ]);
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

type Condition = keyof typeof MET | 'absent';

function conditionOf(condition: StoreWrite['if']): readonly [condition: Condition, wanted: number] {
  if (condition === undefined) return ['any', 0];
  if (condition === 'absent') return ['absent', 0];
  return typeof condition === 'number' ? ['version', condition] : ['held', condition.held];
}

/** Whether a write that was refused found what it had asked for. */
function isMet(condition: Condition, wanted: number, entry: StoreEntry | undefined): boolean {
  if (condition === 'any') return true;
  if (condition === 'absent') return entry === undefined;
  return entry?.version === wanted && (condition === 'version' || entry.holdLeft > 0);
}

type Arguments = Readonly<Record<string, string | number | null>>;

function argumentsOf(collection: string, key: string, write: StoreWrite, now: number): Arguments {
  const { value, ttl, hold = 0, share, renumber } = write;
  return {
    ...{ collection, key, value, now },
    held: now + hold,
    until: now + ttl,
    owner: share?.owner ?? null,
    size: Buffer.byteLength(key) + Buffer.byteLength(value),
    bytes: share?.owner === undefined ? null : (share.bytes ?? null),
    stays: renumber === false ? 1 : 0,
  };
}

/** The driver takes no argument that a statement does not name. */
function namedIn(sql: string, args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => new RegExp(`:${name}\\b`).test(sql)));
}

function entryOf(found: ResultSet | undefined, now: number): StoreEntry | undefined {
  const row = found?.rows[0];
  if (row === undefined) return undefined;
  const holdLeft = Math.max(0, Number(row['held']) - now);
  return { value: row['value'] as string, version: Number(row['version']), holdLeft };
}

/** Applies per connection, whereas WAL applies to the file. */
const DURABLE = 'PRAGMA synchronous = FULL';

async function openFile(url: string, timeout: number): Promise<Client> {
  const { createClient } = await import('@libsql/client').catch((cause: unknown) => {
    throw new ToolwrightError('TW_STORE_MISSING', {
      where: 'SqliteStore',
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
