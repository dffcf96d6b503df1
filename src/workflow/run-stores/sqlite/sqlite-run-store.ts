import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import { SqlRunStore } from '../sql/sql-run-store.ts';
import { SqliteDatabase } from './sqlite-database.ts';

const BUSY_TIMEOUT = 5000;

export interface SqliteRunStoreOptions {
  /** `file:` and a path; a relative one begins at the working directory. The directory has to be there. */
  readonly url: string;
  /** How long a statement waits for other processes, in milliseconds; 5000 unless given. It waits up to four times. */
  readonly busyTimeout?: number;
}

/**
 * Keeps runs in a SQLite file, through the optional package `@libsql/client`. Processes of one machine may share it.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for another kind of URL; `init` rejects with `TW_WORKFLOW_STORE_MISSING`
 *   without the package
 *
 * @example
 * const store = new SqliteRunStore({ url: 'file:runs.db' });
 * await store.init();
 */
export class SqliteRunStore extends SqlRunStore {
  constructor({ url, busyTimeout = BUSY_TIMEOUT }: SqliteRunStoreOptions) {
    if (!url.startsWith('file:')) throw notAFile(url);
    super(new SqliteDatabase({ url, timeout: busyTimeout }));
  }
}

function notAFile(url: string): WorkflowError {
  const scheme = /^[a-z]*:?/.exec(url)?.[0];
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: 'SqliteRunStore, option url',
    message: `The url of a SqliteRunStore begins with "file:", not with "${scheme}".`,
    details: { option: 'url' },
    suggestions: ["new SqliteRunStore({ url: 'file:runs.db' })"],
  });
}
