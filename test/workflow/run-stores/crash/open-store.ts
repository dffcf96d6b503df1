import type { RunStore } from '../../../../src/workflow/application/ports/run-store.ts';
import { PostgresRunStore } from '../../../../src/workflow/run-stores/postgres/postgres-run-store.ts';
import { SqliteRunStore } from '../../../../src/workflow/run-stores/sqlite/sqlite-run-store.ts';

export async function openStore(url: string): Promise<RunStore> {
  const store = url.startsWith('file:')
    ? new SqliteRunStore({ url })
    : new PostgresRunStore({ connectionString: url });
  await store.init();
  return store;
}
