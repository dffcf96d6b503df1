import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { migrations } from './migrations.ts';
import { numberOf } from './read-column.ts';
import type { SqlDatabase, SqlSession } from './sql-database.ts';

const VERSION = 'schema_version';

/** Brings the tables to the version of the code, in one transaction. Tables that have it are only looked at. */
export async function migrate(database: SqlDatabase): Promise<void> {
  const { dialect } = database;
  // Who may only use the tables cannot lock or make any
  if (await isCurrent(database)) return;
  await database.transaction(async (session) => {
    if (dialect.lockSchema !== undefined) await session.query(dialect.lockSchema);
    await session.query(
      `CREATE TABLE IF NOT EXISTS tw_meta (name ${dialect.text} PRIMARY KEY, value text NOT NULL)`,
    );
    const version = await readVersion(session);
    for (const migration of migrations.slice(version)) {
      for (const statement of migration(dialect)) await session.query(statement);
    }
    await session.query(
      'INSERT INTO tw_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [VERSION, String(migrations.length)],
    );
  });
}

async function isCurrent(database: SqlDatabase): Promise<boolean> {
  const [meta] = await database.query(database.dialect.findMeta);
  return meta !== undefined && (await readVersion(database)) === migrations.length;
}

/** @throws WorkflowError `STORAGE_ERROR` for a version that is newer than the code */
async function readVersion(session: SqlSession): Promise<number> {
  const [row] = await session.query('SELECT value FROM tw_meta WHERE name = $1', [VERSION]);
  const version = row ? numberOf(row, 'value') : 0;
  if (version > migrations.length) throw tooNew(version);
  return version;
}

function tooNew(version: number): WorkflowError {
  return new WorkflowError('STORAGE_ERROR', {
    where: 'the run store, in init',
    message: `The tables have version ${version}; this version of the package knows ${migrations.length}.`,
    details: { operation: 'init', cause: 'SCHEMA_TOO_NEW', version, known: migrations.length },
    suggestions: ['update toolwright'],
  });
}
