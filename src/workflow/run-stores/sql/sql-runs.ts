import type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RunSnapshot,
} from '../../application/ports/run-store.ts';
import type { RunBackend } from '../checked-run-store.ts';
import { PURGED_AT_ONCE, RunTables } from './run-tables.ts';
import { migrate, type SqlDatabase } from './sql-database.ts';

/** The tables of a database. Each call is one transaction or one statement. */
export class SqlRuns extends RunTables implements RunBackend {
  constructor(private readonly database: SqlDatabase) {
    super(database, database.dialect);
  }

  async open(): Promise<void> {
    await this.database.open();
    await migrate(this.database);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  override append(request: AppendRequest): Promise<AppendResult> {
    return this.#change((tables) => tables.append(request));
  }

  override putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    return this.#change((tables) => tables.putSnapshot(runId, snapshot));
  }

  override exportRun(runId: string): Promise<ExportedRun | null> {
    return this.#change((tables) => tables.exportRun(runId));
  }

  override importRun(run: ExportedRun): Promise<void> {
    return this.#change((tables) => tables.importRun(run));
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    for (let purged = 0; ;) {
      const count = await this.#change((tables) => tables.purgeSome(before));
      purged += count;
      if (count < PURGED_AT_ONCE) return purged;
    }
  }

  #change<Result>(work: (tables: RunTables) => Promise<Result>): Promise<Result> {
    return this.database.transaction((session) => work(new RunTables(session, this.dialect)));
  }
}
