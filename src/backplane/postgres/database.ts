import { codeOf } from '../../shared/error-shape.ts';
import { ignoreBroken, type PostgresClient, type PostgresPool } from '../../shared/postgres-pool.ts';
import { inTime, StoreTimeout, type StoreHealth } from '../shared/store-health.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Milliseconds for a statement, the wait for its connection included. */
export const DEADLINE = 1000;

/** Milliseconds that the answer to a statement is waited for whose caller has given up, to take back what it did. */
const PATIENCE = 5000;

interface QueryOptions {
  /** Milliseconds for a statement, the wait for its connection included. */
  readonly deadline?: number;
  /** Called with an answer that comes after its caller was refused. */
  readonly late?: (rows: readonly Row[]) => void;
}

/** The tables of one application. A statement has a deadline of its own, which holds although the server hangs. */
export class Database {
  readonly app: string;
  /** Quoted. */
  readonly schema: string;
  readonly #pool: PostgresPool;
  readonly #health: StoreHealth;
  readonly #detach: () => void;
  /** Connections that were asked for, and have not come in time. */
  #overdue = 0;
  #askAgainAt = 0;

  constructor(app: string, schema: string, pool: PostgresPool, health: StoreHealth) {
    this.app = app;
    this.schema = schema;
    this.#pool = pool;
    this.#health = health;
    this.#detach = ignoreBroken(pool);
  }

  /** Runs a statement. Where connections do not come, it rejects at once, but for one in each second. */
  async query(
    sql: string,
    values: readonly unknown[] = [],
    { deadline = DEADLINE, late }: QueryOptions = {},
  ): Promise<readonly Row[]> {
    if (this.#overdue > 0) {
      if (performance.now() < this.#askAgainAt) throw new Error('PostgreSQL does not answer');
      this.#askAgainAt = performance.now() + deadline;
    }
    try {
      const rows = await this.#attempt(sql, values, { deadline, late });
      this.#health.worked();
      return rows;
    } catch (cause) {
      const isLate = cause instanceof StoreTimeout;
      const error = isLate
        ? new StoreTimeout(`PostgreSQL did not answer within ${String(deadline)} ms`)
        : cause;
      this.#health.failed(error);
      throw error;
    }
  }

  /** Milliseconds since the epoch, by its clock. */
  async now(): Promise<number> {
    const [row] = await this.query(`SELECT ${this.schema}.clock() AS now`);
    return Number(row?.['now']);
  }

  /**
   * Removes the rows whose column begins with the name of an owner and a dot, some at a time.
   * @returns how many of them were not expired
   */
  async forget(table: string, owner: string, column = 'key'): Promise<number> {
    const { schema } = this;
    // A slash comes after a dot
    const sql = `WITH removed AS (DELETE FROM ${schema}.${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${schema}.${table}
        WHERE app = $1 AND ${column} >= $2 AND ${column} < $3 LIMIT ${String(AT_ONCE)} FOR UPDATE)) RETURNING expires_at)
      SELECT count(*) AS rows, count(*) FILTER (WHERE expires_at > ${schema}.clock()) AS live FROM removed`;
    for (let removed = 0; ;) {
      const [row] = await this.query(sql, [this.app, `${owner}.`, `${owner}/`]);
      removed += Number(row?.['live']);
      if (row?.['rows'] !== String(AT_ONCE)) return removed;
    }
  }

  close(): void {
    this.#detach();
  }

  async #attempt(
    sql: string,
    values: readonly unknown[],
    { deadline, late }: Required<Pick<QueryOptions, 'deadline'>> & { late: QueryOptions['late'] },
  ): Promise<readonly Row[]> {
    const until = performance.now() + deadline;
    const client = await this.#connect(deadline);
    const answer = client.query(sql, [...values]);
    try {
      const { rows } = await inTime(answer, until - performance.now(), 'PostgreSQL');
      client.release(false);
      return rows;
    } catch (error) {
      if (late !== undefined && error instanceof StoreTimeout) void this.#await(client, answer, late);
      else client.release(!isOfStatement(error));
      throw error;
    }
  }

  /** The connection of a statement whose caller has given up is kept until it is known what became of it. */
  async #await(
    client: PostgresClient,
    answer: Promise<{ readonly rows: readonly Row[] }>,
    late: NonNullable<QueryOptions['late']>,
  ): Promise<void> {
    try {
      const { rows } = await inTime(answer, PATIENCE, 'PostgreSQL');
      client.release(false);
      late(rows);
    } catch (error) {
      client.release(!isOfStatement(error));
    }
  }

  async #connect(deadline: number): Promise<PostgresClient> {
    const connecting = this.#pool.connect();
    try {
      return await inTime(connecting, deadline, 'PostgreSQL', (late) => {
        late.release();
      });
    } catch (error) {
      if (error instanceof StoreTimeout) this.#countOverdue(connecting);
      throw error;
    }
  }

  #countOverdue(connecting: Promise<unknown>): void {
    this.#overdue += 1;
    this.#askAgainAt = performance.now() + DEADLINE;
    const come = (): void => {
      this.#overdue -= 1;
    };
    connecting.then(come, come);
  }
}

/** Whether PostgreSQL answered that the statement is wrong; its connection is fine then. Five characters are an SQLSTATE. */
function isOfStatement(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return /^[0-9A-Z]{5}$/.test(code) && !/^(08|57P)/.test(code);
}

/**
 * Sends what is added while something is being sent together, next: few statements for much that comes at once, and
 * all in the order in which it came.
 */
export class Batch<Item, Answer> {
  readonly #send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  #waiting: Waiting<Item, Answer>[] = [];
  #isSending = false;

  constructor(send: (items: readonly Item[]) => Promise<readonly Answer[]>) {
    this.#send = send;
  }

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, AT_ONCE);
      try {
        const answers = await this.#send(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => {
          resolve(answers[index] as Answer);
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isSending = false;
  }
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const AT_ONCE = 100;
