import { textOf } from './read-column.ts';
import type { SqlDatabase } from './sql-database.ts';

/** In one transaction: few enough that others do not wait for long. */
const AT_ONCE = 200;

/** Not the leases: if the run is imported again, their numbers have to go on. */
const TABLES = ['tw_events', 'tw_idempotency', 'tw_snapshots', 'tw_runs'];

export async function purgeRuns(database: SqlDatabase, before: string): Promise<number> {
  let purged = 0;
  for (;;) {
    const count = await purgeSome(database, before);
    purged += count;
    if (count < AT_ONCE) return purged;
  }
}

async function purgeSome(database: SqlDatabase, before: string): Promise<number> {
  return database.transaction(async (session) => {
    const rows = await session.query(
      `SELECT run_id FROM tw_runs WHERE status IN ('completed', 'cancelled', 'expired') AND updated_at < $1
        ORDER BY run_id LIMIT ${AT_ONCE}${database.dialect.forUpdate}`,
      [before],
    );
    const ids = rows.map((row) => textOf(row, 'run_id'));
    const places = ids.map((_, index) => `$${index + 1}`).join(', ');
    if (ids.length === 0) return 0;
    for (const table of TABLES) await session.query(`DELETE FROM ${table} WHERE run_id IN (${places})`, ids);
    return ids.length;
  });
}
