import type { RunSnapshot } from '../../application/ports/run-store.ts';
import { lockRun } from './lock-run.ts';
import { numberOf, textOf } from './read-column.ts';
import type { SqlDialect, SqlSession } from './sql-database.ts';

const UPSERT_SNAPSHOT = `INSERT INTO tw_snapshots (run_id, seq, state) VALUES ($1, $2, $3)
  ON CONFLICT (run_id) DO UPDATE SET seq = excluded.seq, state = excluded.state
  WHERE tw_snapshots.seq <= excluded.seq`;

export async function upsertSnapshot(
  session: SqlSession,
  runId: string,
  { seq, state }: RunSnapshot,
): Promise<void> {
  await session.query(UPSERT_SNAPSHOT, [runId, seq, state]);
}

/** Within a transaction, so that a run that is purged meanwhile leaves none behind. */
export async function putSqlSnapshot(
  session: SqlSession,
  dialect: SqlDialect,
  runId: string,
  snapshot: RunSnapshot,
): Promise<void> {
  if ((await lockRun(session, dialect, runId)) > 0) await upsertSnapshot(session, runId, snapshot);
}

export async function readSnapshot(session: SqlSession, runId: string): Promise<RunSnapshot | null> {
  const [row] = await session.query('SELECT seq, state FROM tw_snapshots WHERE run_id = $1', [runId]);
  return row ? { seq: numberOf(row, 'seq'), state: textOf(row, 'state') } : null;
}
