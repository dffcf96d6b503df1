import type { RunSummary } from '../../application/ports/run-store.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { textOf } from './read-column.ts';
import type { SqlSession } from './sql-database.ts';

export async function readSummary(session: SqlSession, runId: string): Promise<RunSummary | null> {
  const [row] = await session.query('SELECT summary FROM tw_runs WHERE run_id = $1', [runId]);
  return row ? (JSON.parse(textOf(row, 'summary')) as RunSummary) : null;
}

export async function readEvents(
  session: SqlSession,
  runId: string,
  fromSeq: number,
): Promise<readonly RunEvent[]> {
  const rows = await session.query(
    'SELECT body FROM tw_events WHERE run_id = $1 AND seq >= $2 ORDER BY seq',
    [runId, fromSeq],
  );
  return rows.map((row) => JSON.parse(textOf(row, 'body')) as RunEvent);
}

export async function readDefinition(session: SqlSession, hash: string): Promise<string | null> {
  const [row] = await session.query('SELECT body FROM tw_definitions WHERE hash = $1', [hash]);
  return row ? textOf(row, 'body') : null;
}

export async function pinSqlDefinition(session: SqlSession, hash: string, json: string): Promise<void> {
  await session.query(
    'INSERT INTO tw_definitions (hash, body) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING',
    [hash, json],
  );
}
