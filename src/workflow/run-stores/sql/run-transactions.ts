import type {
  AppendRequest,
  AppendResult,
  RecordedResponse,
  ExportedRun,
} from '../../application/ports/run-store.ts';
import { checkKey, scopeOf } from '../rules/check-append.ts';
import {
  insertEvents,
  upsertRun,
  lockRun,
  upsertSnapshot,
  pinSqlDefinition,
  readDefinition,
  readEvents,
  readSummary,
} from './run-rows.ts';
import { textOf, type SqlDialect, type SqlSession } from './sql-database.ts';
import { alreadyThere } from '../rules/store-failures.ts';

/**
 * A change, within one transaction. Another process that starts the same run or uses the same key at the same time breaks a
 * primary key; the database then does all of it again, and the second look finds what the other one wrote.
 */
export async function appendRun(
  session: SqlSession,
  dialect: SqlDialect,
  request: AppendRequest,
): Promise<AppendResult> {
  const { runId, expectedSeq, events, summary, snapshot } = request;
  const actualSeq = await lockRun(session, dialect, runId);
  const recorded = await findRecorded(session, request);
  if (recorded) return checkKey(recorded, request);
  if (actualSeq !== expectedSeq) return { conflict: true, actualSeq };
  await insertEvents(session, runId, events);
  await upsertRun(session, summary);
  await record(session, request);
  if (snapshot) await upsertSnapshot(session, runId, snapshot);
  return { ok: true, seq: summary.seq };
}

export async function readRecorded(
  session: SqlSession,
  scope: string,
  key: string,
): Promise<RecordedResponse | null> {
  const [row] = await session.query(
    'SELECT request_hash, response FROM tw_idempotency WHERE scope = $1 AND idempotency_key = $2',
    [scope, key],
  );
  return row ? { requestHash: textOf(row, 'request_hash'), response: textOf(row, 'response') } : null;
}

async function findRecorded(session: SqlSession, request: AppendRequest): Promise<RecordedResponse | null> {
  const { idempotencyKey: key } = request;
  return key === undefined ? null : readRecorded(session, scopeOf(request), key);
}

async function record(session: SqlSession, request: AppendRequest): Promise<void> {
  const { runId, idempotencyKey: key, requestHash, response } = request;
  if (key === undefined || requestHash === undefined || response === undefined) return;
  await session.query(
    `INSERT INTO tw_idempotency (scope, idempotency_key, run_id, request_hash, response)
      VALUES ($1, $2, $3, $4, $5)`,
    [scopeOf(request), key, runId, requestHash, response],
  );
}

/** Within a transaction, in which nobody changes the run. */
export async function exportSqlRun(
  session: SqlSession,
  dialect: SqlDialect,
  runId: string,
): Promise<ExportedRun | null> {
  await lockRun(session, dialect, runId);
  const summary = await readSummary(session, runId);
  if (!summary) return null;
  const responses = await session.query(
    `SELECT scope, idempotency_key, request_hash, response FROM tw_idempotency
      WHERE run_id = $1 ORDER BY scope, idempotency_key`,
    [runId],
  );
  const json = await readDefinition(session, summary.definitionHash);
  return {
    summary,
    events: await readEvents(session, runId, 1),
    idempotency: responses.map((row) => ({
      scope: textOf(row, 'scope'),
      key: textOf(row, 'idempotency_key'),
      requestHash: textOf(row, 'request_hash'),
      response: textOf(row, 'response'),
    })),
    definition: json === null ? null : { hash: summary.definitionHash, json },
  };
}

/** Within a transaction. */
export async function importSqlRun(
  session: SqlSession,
  dialect: SqlDialect,
  run: ExportedRun,
): Promise<void> {
  const { summary, events, idempotency, definition } = run;
  const { runId } = summary;
  if ((await lockRun(session, dialect, runId)) > 0) throw alreadyThere(runId, 'the run');
  await insertEvents(session, runId, events);
  await upsertRun(session, summary);
  for (const { scope, key, requestHash, response } of idempotency) {
    const [inserted] = await session.query(
      `INSERT INTO tw_idempotency (scope, idempotency_key, run_id, request_hash, response)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (scope, idempotency_key) DO NOTHING RETURNING run_id`,
      [scope, key, runId, requestHash, response],
    );
    if (!inserted) throw alreadyThere(runId, 'an idempotency key of the run');
  }
  if (definition) await pinSqlDefinition(session, definition.hash, definition.json);
}
