import { textOf } from './read-column.ts';
import type { SqlSession } from './sql-database.ts';

/** Apart from the names that the store itself uses. */
const PREFIX = 'kept:';

export async function keepValue(session: SqlSession, name: string, value: string): Promise<string> {
  await session.query('INSERT INTO tw_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    PREFIX + name,
    value,
  ]);
  const [row] = await session.query('SELECT value FROM tw_meta WHERE name = $1', [PREFIX + name]);
  return row ? textOf(row, 'value') : value;
}
