import { numberOf } from './read-column.ts';
import type { SqlDatabase, SqlSession } from './sql-database.ts';

/** One statement, so that of two owners one wins. */
export async function acquireSqlLease(
  database: SqlDatabase,
  runId: string,
  owner: string,
  ttl: number,
): Promise<number | null> {
  const { now } = database.dialect;
  const [row] = await database.query(
    `INSERT INTO tw_leases (run_id, owner, fence, expires_at) VALUES ($1, $2, 1, ${now} + $3)
      ON CONFLICT (run_id) DO UPDATE
        SET owner = excluded.owner, fence = tw_leases.fence + 1, expires_at = excluded.expires_at
        WHERE tw_leases.owner IS NULL OR tw_leases.owner = excluded.owner OR tw_leases.expires_at <= ${now}
      RETURNING fence`,
    [runId, owner, Math.ceil(ttl)],
  );
  return row ? numberOf(row, 'fence') : null;
}

/** The row stays: its number has to go on. */
export async function releaseSqlLease(session: SqlSession, runId: string, owner: string): Promise<void> {
  await session.query('UPDATE tw_leases SET owner = NULL WHERE run_id = $1 AND owner = $2', [runId, owner]);
}
