import type { Store, StoreEntry, StoreWrite, StoreWritten } from '../../index.ts';
import { boundOwner, conditionOf, isClaim, MAX_OWNER_BYTES, ownerLimit } from '../shared/store-write.ts';
import { splitKey } from '../../shared/owners/owned-key.ts';
import type { Database, Row } from './database.ts';
import { readText, storedKey, storedText, wholeTime } from './texts.ts';

/** All values under keys, in one table. */
export class PostgresStore implements Store {
  readonly #database: Database;
  readonly #bytes: OwnerBytes;
  readonly #get: string;
  readonly #keep: string;
  readonly #put: string;
  readonly #delete: string;
  readonly #forget: string;

  constructor(database: Database, maxBytesPerOwner = MAX_OWNER_BYTES) {
    this.#bytes = new OwnerBytes(database, maxBytesPerOwner);
    const { schema } = database;
    const clock = `${schema}.clock()`;
    const isThere = `expires_at > ${clock} AND held_until >= 0`;
    const own = `app = $1 AND collection = $2 AND key = $3 AND ${isThere}`;
    this.#database = database;
    this.#get = `SELECT value, version, greatest(0, held_until - ${clock}) AS hold_left FROM ${schema}.entries WHERE ${own}`;
    // Written only once in a twentieth of the lifetime, so that most reads write nothing
    this.#keep = `WITH slid AS (UPDATE ${schema}.entries SET expires_at = ${clock} + $4::bigint
      WHERE ${own} AND expires_at < ${clock} + $4::bigint * 19 / 20) ${this.#get}`;
    this.#put = `SELECT outcome, (entry).version, (entry).value, hold_left FROM ${schema}.put_entry(
      ROW($1, $2, $3, $4, 0, 0, 0, $5)::${schema}.entries, $6, $7, $8, $9, $10, $11)`;
    const gone = `UPDATE ${schema}.entries SET value = '', held_until = -1, expires_at = ${clock}`;
    this.#delete = `${gone} WHERE ${own} AND ($4::bigint IS NULL OR version = $4) RETURNING 1`;
    // A slash comes after a dot
    this.#forget = `${gone} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${schema}.entries WHERE app = $1 AND collection = $2
      AND key >= $3 AND key < $4 AND ${isThere} LIMIT ${String(AT_ONCE)} FOR UPDATE)) RETURNING 1`;
  }

  async get(
    collection: string,
    key: string,
    { keep }: { readonly keep?: number } = {},
  ): Promise<StoreEntry | undefined> {
    const own = this.#own(collection, key);
    const [row] =
      keep === undefined
        ? await this.#database.query(this.#get, own)
        : await this.#database.query(this.#keep, [...own, wholeTime(keep)]);
    return row && entryOf(row);
  }

  async put(collection: string, key: string, write: StoreWrite): Promise<StoreWritten> {
    const owner = boundOwner(key, write);
    if (owner !== undefined && (await this.#bytes.isFull(collection, owner))) return { full: 'owner' };
    this.#bytes.count(collection, key, write.value);
    const values = [...this.#own(collection, key), ...valuesOf(key, write)];
    // Its caller was refused, and may come again
    const late = ([row]: readonly Row[]): void => {
      if (row?.['outcome'] !== 'written') return;
      this.delete(collection, key, Number(row['version'])).catch(() => undefined);
    };
    const [row = {}] = await this.#database.query(this.#put, values, isClaim(write) ? { late } : {});
    switch (row['outcome']) {
      case 'written':
        return { version: Number(row['version']) };
      case 'full':
        return { full: 'owner' };
      case 'refused':
        return { refused: entryOf(row) };
      default:
        return { refused: undefined };
    }
  }

  async delete(collection: string, key: string, version?: number): Promise<boolean> {
    const values = [...this.#own(collection, key), version ?? null];
    return (await this.#database.query(this.#delete, values)).length === 1;
  }

  async forget(collection: string, owner: string): Promise<number> {
    const values = [this.#database.app, collection, `${owner}.`, `${owner}/`];
    for (let removed = 0; ;) {
      const { length } = await this.#database.query(this.#forget, values);
      removed += length;
      if (length < AT_ONCE) return removed;
    }
  }

  now(): Promise<number> {
    return this.#database.now();
  }

  #own(collection: string, key: string): readonly unknown[] {
    return [this.#database.app, collection, storedKey(key)];
  }
}

/** Milliseconds between two looks at an owner who has too much. */
const LOOK_INTERVAL = 1000;
/** Owners beyond this number are forgotten: they begin at nothing again. */
const MAX_NAMES = 10_000;

/**
 * What owners have of a collection, about: a sum of all entries takes longer the more there are, so it is taken after a tenth of
 * the bound was put by this process, and then once a second as long as the bound is reached.
 */
class OwnerBytes {
  readonly #database: Database;
  readonly #max: number;
  readonly #sum: string;
  /** Put since the last look. */
  readonly #put = new Map<string, number>();
  /** When those who have too much are looked at again. */
  readonly #full = new Map<string, number>();

  constructor(database: Database, max: number) {
    const { schema } = database;
    this.#database = database;
    this.#max = max;
    this.#sum = `SELECT coalesce(sum(octet_length(key) + octet_length(value)), 0) AS bytes FROM ${schema}.entries
      WHERE app = $1 AND collection = $2 AND owner = $3 AND expires_at > ${schema}.clock() AND held_until >= 0`;
  }

  count(collection: string, key: string, value: string): void {
    const [owner] = splitKey(key);
    if (owner === undefined) return;
    const name = `${collection} ${owner}`;
    this.#put.set(name, (this.#put.get(name) ?? 0) + key.length + value.length);
    if (this.#put.size > MAX_NAMES) this.#put.clear();
  }

  async isFull(collection: string, owner: string): Promise<boolean> {
    const name = `${collection} ${owner}`;
    const nextLook = this.#full.get(name);
    if (nextLook !== undefined && performance.now() < nextLook) return true;
    if (nextLook === undefined && (this.#put.get(name) ?? 0) < this.#max / 10) return false;
    const [row] = await this.#database.query(this.#sum, [this.#database.app, collection, owner]);
    this.#put.delete(name);
    const isFull = Number(row?.['bytes']) >= this.#max;
    if (isFull) this.#full.set(name, performance.now() + LOOK_INTERVAL);
    else this.#full.delete(name);
    if (this.#full.size > MAX_NAMES) this.#full.clear();
    return isFull;
  }
}

const AT_ONCE = 100;

function valuesOf(key: string, write: StoreWrite): readonly unknown[] {
  const { value, ttl, hold = 0, renumber, share } = write;
  const [kind, wanted] = conditionOf(write);
  return [
    storedText(value),
    share?.owner ?? null,
    wholeTime(ttl),
    wholeTime(hold),
    kind,
    wanted,
    renumber === false,
    ownerLimit(key, write) ?? null,
  ];
}

function entryOf(row: Row): StoreEntry {
  return {
    value: readText(row['value']),
    version: Number(row['version']),
    holdLeft: Number(row['hold_left']),
  };
}
