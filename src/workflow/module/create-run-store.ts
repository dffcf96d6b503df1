import type { RunStore } from '../application/ports/run-store.ts';
import { PostgresRunStore } from '../run-stores/postgres/postgres-run-store.ts';
import { SqliteRunStore } from '../run-stores/sqlite/sqlite-run-store.ts';

const DEFAULT_FILE = 'toolwright-workflows.db';
const POSTGRES = /^postgres(?:ql)?:\/\//;

/** The store that the options name, ready for use. */
export async function createRunStore(store: string | RunStore = DEFAULT_FILE): Promise<RunStore> {
  const made = typeof store === 'string' ? storeAt(store) : store;
  await made.init();
  return made;
}

function storeAt(place: string): RunStore {
  if (POSTGRES.test(place)) return new PostgresRunStore({ connectionString: place });
  return new SqliteRunStore({ url: place.startsWith('file:') ? place : `file:${place}` });
}
