import type { IdempotencyEntry, IdempotencyStore, IdempotencyUpdate } from '../../index.ts';
import type { Database } from './database.ts';
import { readText, storedKey, storedText, wholeTime } from './texts.ts';

/**
 * Which calls have run. An entry that is forgotten stays as an expired row until the sweep, so that the next claim
 * takes its number while it has the row: no number is smaller than one that was given before.
 */
export class PostgresIdempotencyStore implements IdempotencyStore {
  readonly #database: Database;
  readonly #get: string;
  readonly #claim: string;
  readonly #takeOver: string;
  readonly #replace: string;
  readonly #forget: string;

  constructor(database: Database) {
    const { schema } = database;
    const clock = `${schema}.clock()`;
    const next = `nextval('${schema}.numbers')`;
    const own = 'app = $1 AND key = $2';
    const times = `held_until = ${clock} + $4::bigint, expires_at = ${clock} + $5::bigint`;
    this.#database = database;
    this.#forget = `UPDATE ${schema}.calls SET value = '', held_until = 0, expires_at = ${clock}
      WHERE app = $1 AND key >= $2 AND key < $3 AND expires_at > ${clock} RETURNING 1`;
    this.#get = `SELECT value, fence, greatest(0, held_until - ${clock}) AS lease_left FROM ${schema}.calls
      WHERE ${own} AND expires_at > ${clock}`;
    this.#claim = `INSERT INTO ${schema}.calls AS c (app, key, value, fence, held_until, expires_at)
      VALUES ($1, $2, $3, ${next}, ${clock} + $4::bigint, ${clock} + $5::bigint)
      ON CONFLICT (app, key) DO UPDATE SET value = excluded.value, fence = ${next}, ${times}
        WHERE c.expires_at <= ${clock}
      RETURNING fence`;
    this.#takeOver = `UPDATE ${schema}.calls SET value = $3, fence = ${next}, ${times}
      WHERE ${own} AND fence = $6 AND expires_at > ${clock} RETURNING fence`;
    this.#replace = `UPDATE ${schema}.calls SET value = $3, ${times},
        fence = CASE WHEN held_until > ${clock} THEN fence ELSE ${next} END
      WHERE ${own} AND fence = $6 AND (held_until > ${clock} OR $4::bigint = 0) AND expires_at > ${clock} RETURNING fence`;
  }

  async get(key: string): Promise<IdempotencyEntry | undefined> {
    const [row] = await this.#database.query(this.#get, [this.#database.app, storedKey(key)]);
    if (row === undefined) return undefined;
    const { value, fence, lease_left: leaseLeft } = row;
    return { value: readText(value), fence: Number(fence), leaseLeft: Number(leaseLeft) };
  }

  async claim(
    key: string,
    expected: number | undefined,
    update: IdempotencyUpdate,
  ): Promise<number | undefined> {
    const values = this.#valuesOf(key, update);
    const [row] =
      expected === undefined
        ? await this.#database.query(this.#claim, values)
        : await this.#database.query(this.#takeOver, [...values, expected]);
    return row && Number(row['fence']);
  }

  async replace(key: string, fence: number, update: IdempotencyUpdate): Promise<boolean> {
    const rows = await this.#database.query(this.#replace, [...this.#valuesOf(key, update), fence]);
    return rows.length === 1;
  }

  /** What is left of a row until the sweep is its number. */
  async forget(owner: string): Promise<number> {
    const { app } = this.#database;
    return (await this.#database.query(this.#forget, [app, `${owner}.`, `${owner}/`])).length;
  }

  #valuesOf(key: string, { value, lease, lifetime }: IdempotencyUpdate): readonly unknown[] {
    return [this.#database.app, storedKey(key), storedText(value), wholeTime(lease), wholeTime(lifetime)];
  }
}
