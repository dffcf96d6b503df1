import type { ExportedRun } from '../../application/ports/run-store.ts';
import { alreadyThere } from '../rules/run-there.ts';
import { insertEvents, upsertRun } from './insert-rows.ts';
import { lockRun } from './lock-run.ts';
import { pinSqlDefinition, readDefinition, readEvents, readSummary } from './run-rows.ts';
import { textOf } from './read-column.ts';
import type { SqlDialect, SqlSession } from './sql-database.ts';

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
