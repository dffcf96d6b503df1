import { required, text, wholeNumber, type OptionRules } from '../../../shared/option-rules.ts';
import { refuseWorkflowOptions } from '../../application/options.ts';
import { SqlRunStore } from '../sql/sql-run-store.ts';
import { checkFileUrl } from './file-url.ts';
import { SqliteDatabase } from './sqlite-database.ts';

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

export const SQLITE_RULES: OptionRules<SqliteRunStoreOptions> = {
  url: required(text),
  busyTimeout: wholeNumber(0, LONGEST_TIMEOUT),
};

/**
 * Keeps runs in a SQLite file, through the optional package `@libsql/client`. Processes of one machine may share it.
 *
 * @throws WorkflowError `TW_WORKFLOW_OPTION`, also for another kind of URL, or one of a database in memory; `init`
 *   rejects with `TW_WORKFLOW_STORE_MISSING` without the package
 *
 * @example
 * const store = new SqliteRunStore({ url: 'file:runs.db' });
 * await store.init();
 */
export class SqliteRunStore extends SqlRunStore {
  constructor(options: SqliteRunStoreOptions) {
    refuseWorkflowOptions('new SqliteRunStore()', options, SQLITE_RULES);
    const { url, busyTimeout = BUSY_TIMEOUT } = options;
    super(new SqliteDatabase({ url: checkFileUrl(url), timeout: busyTimeout }));
  }
}
