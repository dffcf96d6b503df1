import { SqlRunStore } from '../sql/sql-run-store.ts';
import { checkFileUrl } from './file-url.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { wrongOption } from './wrong-option.ts';

const BUSY_TIMEOUT = 5000;
/** SQLite counts milliseconds in 32 bits. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

export interface SqliteRunStoreOptions {
  /**
   * `file:` and a path, in which `%`, `?` and `#` are escaped; a relative one begins at the working directory. The
   * directory has to be there.
   */
  readonly url: string;
  /** How long a statement waits for other processes, in milliseconds; 5000 unless given. It waits up to four times. */
  readonly busyTimeout?: number;
}

/**
 * Keeps runs in a SQLite file, through the optional package `@libsql/client`. Processes of one machine may share it.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION` for another kind of URL, or one of a database in memory; `init` rejects with `TW_WORKFLOW_STORE_MISSING`
 *   without the package
 *
 * @example
 * const store = new SqliteRunStore({ url: 'file:runs.db' });
 * await store.init();
 */
export class SqliteRunStore extends SqlRunStore {
  constructor({ url, busyTimeout = BUSY_TIMEOUT }: SqliteRunStoreOptions) {
    super(new SqliteDatabase({ url: checkFileUrl(url), timeout: checkTimeout(busyTimeout) }));
  }
}

function checkTimeout(busyTimeout: number): number {
  if (Number.isInteger(busyTimeout) && busyTimeout >= 0 && busyTimeout <= LONGEST_TIMEOUT) return busyTimeout;
  const message = `The option busyTimeout is a whole number from 0 to ${LONGEST_TIMEOUT}, not ${busyTimeout}.`;
  throw wrongOption('busyTimeout', message);
}
