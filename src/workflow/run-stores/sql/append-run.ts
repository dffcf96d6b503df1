import type { AppendRequest, AppendResult, RecordedResponse } from '../../application/ports/run-store.ts';
import { judgeKey, scopeOf } from '../rules/judge-key.ts';
import { insertEvents, upsertRun } from './insert-rows.ts';
import { lockRun } from './lock-run.ts';
import { upsertSnapshot } from './snapshots.ts';
import { textOf } from './read-column.ts';
import type { SqlDialect, SqlSession } from './sql-database.ts';

/**
 * A change, within one transaction. Whoever starts the same run or uses the same key at the same time breaks a
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
  if (recorded) return judgeKey(recorded, request);
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
