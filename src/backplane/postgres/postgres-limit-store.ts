import type { LimitCharge, LimitRefusal, LimitStore } from '../../index.ts';
import type { Database } from './database.ts';
import { storedKey } from './texts.ts';

/** Counts calls for rates and quotas: all charges of a call in one statement, by the clock of the database. */
export class PostgresLimitStore implements LimitStore {
  readonly #database: Database;
  readonly #charge: string;

  constructor(database: Database) {
    this.#database = database;
    this.#charge = `SELECT charge, retry_after FROM ${database.schema}.charge($1, $2, $3, $4, $5, $6, $7)`;
  }

  async charge(charges: readonly LimitCharge[]): Promise<LimitRefusal | undefined> {
    const [row] = await this.#database.query(this.#charge, [
      this.#database.app,
      charges.map(({ key }) => storedKey(key)),
      charges.map(({ cost }) => cost),
      charges.map(({ limit }) => limit),
      charges.map(({ per }) => (typeof per === 'number' ? per : 0)),
      charges.map(({ per }) => (typeof per === 'number' ? '' : per)),
      charges.map(({ burst }) => burst),
    ]);
    return row && { index: Number(row['charge']), retryAfter: Number(row['retry_after']) };
  }

  forget(owner: string): Promise<number> {
    return this.#database.forget('limits', owner);
  }
}
