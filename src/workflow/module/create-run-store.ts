import type { RunStore } from '../application/ports/run-store.ts';
import { WorkflowError } from '../domain/errors/workflow-error.ts';
import { PostgresRunStore } from '../run-stores/postgres/postgres-run-store.ts';
import { fileUrlOf } from '../run-stores/sqlite/file-url.ts';
import { SqliteRunStore } from '../run-stores/sqlite/sqlite-run-store.ts';

const DEFAULT_FILE = 'toolwright-workflows.db';
const POSTGRES = /^postgres(?:ql)?:\/\//;
const OTHER_URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * The store that the options name, ready for use.
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for a place where nothing could be kept
 */
export async function createRunStore(store: string | RunStore = DEFAULT_FILE): Promise<RunStore> {
  const made = typeof store === 'string' ? storeAt(store) : store;
  await made.init();
  return made;
}

function storeAt(place: string): RunStore {
  if (POSTGRES.test(place)) return new PostgresRunStore({ connectionString: place });
  if (place.startsWith('file:')) return new SqliteRunStore({ url: place });
  const [scheme] = OTHER_URL.exec(place) ?? [];
  if (scheme !== undefined) throw unknownScheme(scheme);
  return new SqliteRunStore({ url: fileUrlOf(place) });
}

/** The rest of the URL may have a password. */
function unknownScheme(scheme: string): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'WorkflowModule.forRoot, option store',
    message: `The option store has a URL that begins with "${scheme}", for which there is no store.`,
    details: { option: 'store' },
    suggestions: ["the path of a file, 'postgres://...', or a RunStore"],
  });
}
