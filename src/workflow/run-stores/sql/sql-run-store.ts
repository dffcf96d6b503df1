import type {
  AppendRequest,
  AppendResult,
  ExportedRun,
  RecordedResponse,
  RunPage,
  RunQuery,
  RunSnapshot,
  RunStore,
  RunSummary,
} from '../../application/ports/run-store.ts';
import { WorkflowError } from '../../domain/errors/workflow-error.ts';
import type { RunEvent } from '../../domain/run/run-event.ts';
import { checkAppend, checkImport } from '../rules/check-append.ts';
import { checkLease, checkNames, checkText } from '../rules/check-values.ts';
import { instant, checkLimit, checkQuery, pageOf } from '../rules/run-query.ts';
import { notOpen, storageFailure } from '../rules/store-failures.ts';
import { appendRun, readRecorded, exportSqlRun, importSqlRun } from './run-transactions.ts';
import {
  findExpiredRuns,
  findRuns,
  keepValue,
  acquireSqlLease,
  releaseSqlLease,
  pinSqlDefinition,
  readDefinition,
  readEvents,
  readSummary,
  purgeRuns,
  putSqlSnapshot,
  readSnapshot,
} from './run-rows.ts';
import { migrate, type SqlDatabase, type SqlDialect, type SqlSession } from './sql-database.ts';

/** What run stores in SQL databases have in common: all but how to connect, lock and retry. */
export abstract class SqlRunStore implements RunStore {
  readonly #database: SqlDatabase;
  readonly #begun = new Set<Promise<unknown>>();
  #state: 'new' | 'open' | 'closed' = 'new';

  protected constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async init(): Promise<void> {
    if (this.#state === 'closed') throw notOpen('init', true);
    await this.#attempt('init', async (database) => {
      await database.open();
      await migrate(database);
    });
    if (this.#state === 'new') this.#state = 'open';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    // A pool that is ended while it connects never comes to an end.
    await Promise.allSettled(this.#begun);
    await this.#attempt('close', (database) => database.close());
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    checkAppend(request);
    return this.#change('append', (session, dialect) => appendRun(session, dialect, request));
  }

  async load(runId: string, fromSeq = 1): Promise<readonly RunEvent[]> {
    checkText({ runId });
    return this.#use('load', (database) => readEvents(database, runId, fromSeq));
  }

  async getSummary(runId: string): Promise<RunSummary | null> {
    checkText({ runId });
    return this.#use('getSummary', (database) => readSummary(database, runId));
  }

  async getSnapshot(runId: string): Promise<RunSnapshot | null> {
    checkText({ runId });
    return this.#use('getSnapshot', (database) => readSnapshot(database, runId));
  }

  async putSnapshot(runId: string, snapshot: RunSnapshot): Promise<void> {
    checkText({ runId, state: snapshot.state });
    await this.#change('putSnapshot', (session, dialect) =>
      putSqlSnapshot(session, dialect, runId, snapshot),
    );
  }

  async getRecorded(scope: string, key: string): Promise<RecordedResponse | null> {
    checkText({ scope, key });
    return this.#use('getRecorded', (database) => readRecorded(database, scope, key));
  }

  async find(query: RunQuery): Promise<RunPage> {
    const checked = checkQuery(query);
    const runs = await this.#use('find', (database) => findRuns(database, database.dialect, checked));
    return pageOf(runs, checked.limit);
  }

  async findExpired(before: string, limit: number): Promise<readonly string[]> {
    const time = instant('before', before);
    checkLimit(limit);
    return this.#use('findExpired', (database) => findExpiredRuns(database, time, limit));
  }

  async pinDefinition(hash: string, json: string): Promise<void> {
    checkNames({ hash });
    checkText({ json });
    await this.#use('pinDefinition', (database) => pinSqlDefinition(database, hash, json));
  }

  async getDefinition(hash: string): Promise<string | null> {
    checkText({ hash });
    return this.#use('getDefinition', (database) => readDefinition(database, hash));
  }

  async acquireLease(runId: string, owner: string, ttl: number): Promise<number | null> {
    checkLease(runId, owner, ttl);
    return this.#use('acquireLease', (database) => acquireSqlLease(database, runId, owner, ttl));
  }

  async releaseLease(runId: string, owner: string): Promise<void> {
    checkText({ runId, owner });
    await this.#use('releaseLease', (database) => releaseSqlLease(database, runId, owner));
  }

  async keep(name: string, value: string): Promise<string> {
    checkNames({ name });
    checkText({ value });
    return this.#use('keep', (database) => keepValue(database, name, value));
  }

  async exportRun(runId: string): Promise<ExportedRun | null> {
    checkText({ runId });
    return this.#change('exportRun', (session, dialect) => exportSqlRun(session, dialect, runId));
  }

  async importRun(run: ExportedRun): Promise<void> {
    checkImport(run);
    await this.#change('importRun', (session, dialect) => importSqlRun(session, dialect, run));
  }

  async purge({ before }: { readonly before: string }): Promise<number> {
    const time = instant('before', before);
    return this.#use('purge', (database) => purgeRuns(database, time));
  }

  async #change<Result>(
    operation: string,
    work: (session: SqlSession, dialect: SqlDialect) => Promise<Result>,
  ): Promise<Result> {
    return this.#use(operation, (database) =>
      database.transaction((session) => work(session, database.dialect)),
    );
  }

  async #use<Result>(operation: string, work: (database: SqlDatabase) => Promise<Result>): Promise<Result> {
    if (this.#state !== 'open') throw notOpen(operation, this.#state === 'closed');
    return this.#attempt(operation, work);
  }

  async #attempt<Result>(
    operation: string,
    work: (database: SqlDatabase) => Promise<Result>,
  ): Promise<Result> {
    const result = work(this.#database);
    this.#begun.add(result);
    try {
      return await result;
    } catch (error) {
      throw error instanceof WorkflowError ? error : storageFailure(operation, error);
    } finally {
      this.#begun.delete(result);
    }
  }
}
