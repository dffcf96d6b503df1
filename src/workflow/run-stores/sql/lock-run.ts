import { numberOf } from './read-column.ts';
import type { SqlDialect, SqlSession } from './sql-database.ts';

/** @returns the seq of the run, 0 for one that is not there */
export async function lockRun(
  session: SqlSession,
  { forUpdate }: SqlDialect,
  runId: string,
): Promise<number> {
  const [row] = await session.query(`SELECT seq FROM tw_runs WHERE run_id = $1${forUpdate}`, [runId]);
  return row ? numberOf(row, 'seq') : 0;
}
