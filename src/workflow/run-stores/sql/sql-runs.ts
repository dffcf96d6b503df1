import type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RunSnapshot,
  RecordedResponse,
  RunSummary,
} from '../../application/ports/run-store.ts';
import type { RunBackend } from '../checked-run-store.ts';
import {
  migrate,
  type SqlDatabase,
  numberOf,
  textOf,
  type SqlSession,
  type SqlValue,
} from './sql-database.ts';
import type { RunEvent } from '../../domain/run/run-state.ts';
import { checkKey, responseOf, type KeptResponse, runColumns, type CheckedQuery } from '../checks.ts';
import { alreadyThere } from '../store-failures.ts';

/** Each takes two parameters; SQLite allows 32 766 per statement. */
const EVENTS_AT_ONCE = 500;

const UPSERT_RUN = `INSERT INTO tw_runs (run_id, tenant, principal, workflow_id, status, seq,
    updated_at, expires_at, folded_goal, folded_workflow_id, summary)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (run_id) DO UPDATE SET tenant = excluded.tenant, principal = excluded.principal,
    workflow_id = excluded.workflow_id, status = excluded.status, seq = excluded.seq,
    updated_at = excluded.updated_at, expires_at = excluded.expires_at, folded_goal = excluded.folded_goal,
    folded_workflow_id = excluded.folded_workflow_id, summary = excluded.summary`;

const UPSERT_SNAPSHOT = `INSERT INTO tw_snapshots (run_id, seq, state) VALUES ($1, $2, $3)
  ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, state = excluded.state
  WHERE tw_snapshots.seq <= excluded.seq`;

const INSERT_RESPONSE = `INSERT INTO tw_idempotency (scope, idempotency_key, run_id, request_hash, response)
  VALUES ($1, $2, $3, $4, $5)`;

/** Per transaction: few enough to keep the waiting time of others short. */
const PURGED_AT_ONCE = 200;

/** Without the leases: if the run is imported again, their numbers must continue. */
const PURGED_TABLES = ['tw_events', 'tw_idempotency', 'tw_snapshots', 'tw_runs'];

/** A prefix that separates these names from those of the store itself. */
const KEPT = 'kept:';

/** The tables of a database. Each call is one transaction or one statement. */
export class SqlRuns implements RunBackend {
  /** @param session the database itself, or one transaction of it */
  constructor(
    private readonly database: SqlDatabase,
    private readonly session: SqlSession = database,
  ) {}

  async open(): Promise<void> {
    await this.database.open();
    await migrate(this.database);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  /**
   * A concurrent process that starts the same run or uses the same key causes a primary key violation. The database
   * then retries the transaction, and the retry finds what the other process wrote.
   */
  append(request: AppendRequest): Promise<AppendResult> {
    return this.#change(async (runs) => {
      const { runId, expectedSeq, events, summary, snapshot } = request;
      const response = responseOf(request);
      const actualSeq = await runs.#lock(runId);
      const recorded = response && (await runs.getRecorded(response.scope, response.key));
      if (recorded) return checkKey(recorded, request);
      if (actualSeq !== expectedSeq) return { conflict: true, actualSeq };
      await runs.#insert(summary, events);
      if (response) await runs.session.query(INSERT_RESPONSE, valuesOf(response));
      if (snapshot) await runs.#upsertSnapshot(runId, snapshot);
      return { ok: true, seq: summary.seq };
    });
  }

  async load(runId: string, fromSeq: number): Promise<readonly RunEvent[]> {
    const rows = await this.session.query(
      'SELECT body FROM tw_events WHERE run_id = $1 AND seq >= $2 ORDER BY seq',
      [runId, fromSeq],
    );
    return rows.map((row) => JSON.parse(textOf(row, 'body')) as RunEvent);
  }

  async getSummary(runId: string): Promise<RunSummary | null> {
    const [row] = await this.session.query('SELECT summary FROM tw_runs WHERE run_id = $1', [runId]);
    return row ? (JSON.parse(textOf(row, 'summary')) as RunSummary) : null;
  }

  async getSnapshot(runId: string): Promise<RunSnapshot | null> {
    const [row] = await this.session.query('SELECT seq, state FROM tw_snapshots WHERE run_id = $1', [runId]);
    return row ? { seq: numberOf(row, 'seq'), state: textOf(row, 'state') } : null;
  }

  /** Locks the run, so that a concurrent purge leaves no events behind. */
  putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    return this.#change(async (runs) => {
      if ((await runs.#lock(runId)) > 0) await runs.#upsertSnapshot(runId, snapshot);
    });
  }

  async getRecorded(scope: string, key: string): Promise<RecordedResponse | null> {
    const [row] = await this.session.query(
      'SELECT request_hash, response FROM tw_idempotency WHERE scope = $1 AND idempotency_key = $2',
      [scope, key],
    );
    return row ? { requestHash: textOf(row, 'request_hash'), response: textOf(row, 'response') } : null;
  }

  async find(query: CheckedQuery): Promise<readonly RunSummary[]> {
    const values: SqlValue[] = [];
    const place = (value: SqlValue) => `$${values.push(value)}`;
    const conditions = conditionsOf(query, this.database.dialect.position, place);
    const rows = await this.session.query(
      `SELECT summary FROM tw_runs WHERE ${conditions.join(' AND ')}
        ORDER BY updated_at DESC, run_id LIMIT ${place(query.limit + 1)}`,
      values,
    );
    return rows.map((row) => JSON.parse(textOf(row, 'summary')) as RunSummary);
  }

  async findExpired(before: string, limit: number): Promise<readonly string[]> {
    const rows = await this.session.query(
      `SELECT run_id FROM tw_runs
        WHERE status NOT IN ('completed', 'cancelled', 'expired') AND expires_at < $1
        ORDER BY expires_at, run_id LIMIT $2`,
      [before, limit],
    );
    return rows.map((row) => textOf(row, 'run_id'));
  }

  async pinDefinition(hash: string, json: string): Promise<void> {
    const sql = 'INSERT INTO tw_definitions (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING';
    await this.session.query(sql, [hash, json]);
  }

  async getDefinition(hash: string): Promise<string | null> {
    const [row] = await this.session.query('SELECT body FROM tw_definitions WHERE hash = $1', [hash]);
    return row ? textOf(row, 'body') : null;
  }

  /** One statement, so that only one of two owners wins. */
  async acquireLease(runId: string, owner: string, ttl: number): Promise<number | null> {
    const { now } = this.database.dialect;
    const [row] = await this.session.query(
      `INSERT INTO tw_leases (run_id, owner, fence, expires_at) VALUES ($1, $2, 1, ${now} + $3)
        ON CONFLICT (run_id) DO UPDATE
          SET owner = excluded.owner, fence = tw_leases.fence + 1, expires_at = excluded.expires_at
          WHERE tw_leases.owner IS NULL OR tw_leases.owner = excluded.owner OR tw_leases.expires_at <= ${now}
        RETURNING fence`,
      [runId, owner, Math.ceil(ttl)],
    );
    return row ? numberOf(row, 'fence') : null;
  }

  /** Keeps the row, because its number must continue. */
  async releaseLease(runId: string, owner: string): Promise<void> {
    const sql = 'UPDATE tw_leases SET owner = NULL WHERE run_id = $1 AND owner = $2';
    await this.session.query(sql, [runId, owner]);
  }

  async keep(name: string, value: string): Promise<string> {
    const insert = 'INSERT INTO tw_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
    await this.session.query(insert, [KEPT + name, value]);
    const [row] = await this.session.query('SELECT value FROM tw_meta WHERE name = $1', [KEPT + name]);
    return row ? textOf(row, 'value') : value;
  }

  exportRun(runId: string): Promise<ExportedRun | null> {
    return this.#change(async (runs) => {
      await runs.#lock(runId);
      const summary = await runs.getSummary(runId);
      if (!summary) return null;
      const responses = await runs.session.query(
        `SELECT scope, idempotency_key AS key, request_hash, response FROM tw_idempotency
          WHERE run_id = $1 ORDER BY scope, idempotency_key`,
        [runId],
      );
      const { definitionHash: hash } = summary;
      const json = await runs.getDefinition(hash);
      return {
        summary,
        events: await runs.load(runId, 1),
        idempotency: responses.map((row) => ({
          scope: textOf(row, 'scope'),
          key: textOf(row, 'key'),
          requestHash: textOf(row, 'request_hash'),
          response: textOf(row, 'response'),
        })),
        definition: json === null ? null : { hash, json },
      };
    });
  }

  importRun({ summary, events, idempotency, definition }: ExportedRun): Promise<void> {
    return this.#change(async (runs) => {
      const { runId } = summary;
      if ((await runs.#lock(runId)) > 0) throw alreadyThere(runId, 'the run');
      await runs.#insert(summary, events);
      const insert = `${INSERT_RESPONSE} ON CONFLICT (scope, idempotency_key) DO NOTHING RETURNING run_id`;
      for (const response of idempotency) {
        const [inserted] = await runs.session.query(insert, valuesOf({ ...response, runId }));
        if (!inserted) throw alreadyThere(runId, 'an idempotency key of the run');
      }
      if (definition) await runs.pinDefinition(definition.hash, definition.json);
    });
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    for (let purged = 0; ;) {
      const count = await this.#change((runs) => runs.#purgeSome(before));
      purged += count;
      if (count < PURGED_AT_ONCE) return purged;
    }
  }

  #change<Result>(work: (runs: SqlRuns) => Promise<Result>): Promise<Result> {
    return this.database.transaction((session) => work(new SqlRuns(this.database, session)));
  }

  async #purgeSome(before: string): Promise<number> {
    const rows = await this.session.query(
      `SELECT run_id FROM tw_runs WHERE status IN ('completed', 'cancelled', 'expired') AND updated_at < $1
        ORDER BY run_id LIMIT ${PURGED_AT_ONCE}${this.database.dialect.forUpdate}`,
      [before],
    );
    const ids = rows.map((row) => textOf(row, 'run_id'));
    const places = ids.map((_, index) => `$${index + 1}`).join(', ');
    for (const table of ids.length === 0 ? [] : PURGED_TABLES)
      await this.session.query(`DELETE FROM ${table} WHERE run_id IN (${places})`, ids);
    return ids.length;
  }

  /** @returns the seq of the run; 0 if it does not exist */
  async #lock(runId: string): Promise<number> {
    const sql = `SELECT seq FROM tw_runs WHERE run_id = $1${this.database.dialect.forUpdate}`;
    const [row] = await this.session.query(sql, [runId]);
    return row ? numberOf(row, 'seq') : 0;
  }

  async #upsertSnapshot(runId: string, { seq, state }: RunSnapshot): Promise<void> {
    await this.session.query(UPSERT_SNAPSHOT, [runId, seq, state]);
  }

  async #insert(summary: RunSummary, events: readonly RunEvent[]): Promise<void> {
    const { runId } = summary;
    for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
      const values: SqlValue[] = [runId];
      const tuples = events.slice(start, start + EVENTS_AT_ONCE).map((event) => {
        const last = values.push(event.seq, JSON.stringify(event));
        return `($1, $${last - 1}, $${last})`;
      });
      const sql = `INSERT INTO tw_events (run_id, seq, body) VALUES ${tuples.join(', ')}`;
      await this.session.query(sql, values);
    }
    const { tenant, principal, workflowId, status, seq, updatedAt, expiresAt, ...folded } =
      runColumns(summary);
    const columns = [tenant, principal, workflowId, status, seq, updatedAt, expiresAt];
    const texts = [folded.foldedGoal, folded.foldedWorkflowId, JSON.stringify(summary)];
    await this.session.query(UPSERT_RUN, [runId, ...columns, ...texts]);
  }
}

function valuesOf({ scope, key, runId, requestHash, response }: KeptResponse): readonly SqlValue[] {
  return [scope, key, runId, requestHash, response];
}

function conditionsOf(
  { tenant, principal, status, workflowId, text, updatedAfter, after }: CheckedQuery,
  position: string,
  place: (value: SqlValue) => string,
): readonly string[] {
  const conditions = [`tenant = ${place(tenant)}`];
  if (principal !== undefined) conditions.push(`principal = ${place(principal)}`);
  if (status !== undefined) conditions.push(`status = ${place(status)}`);
  if (workflowId !== undefined) conditions.push(`workflow_id = ${place(workflowId)}`);
  if (updatedAfter !== undefined) conditions.push(`updated_at > ${place(updatedAfter)}`);
  if (text !== undefined) {
    const [goal, id] = ['folded_goal', 'folded_workflow_id'].map((column) => `${position}(${column}, `);
    const part = place(text);
    conditions.push(`(${goal}${part}) > 0 OR ${id}${part}) > 0)`);
  }
  if (after !== undefined) {
    const time = place(after.updatedAt);
    conditions.push(`(updated_at < ${time} OR (updated_at = ${time} AND run_id > ${place(after.runId)}))`);
  }
  return conditions;
}
