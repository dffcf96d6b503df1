import type { TaskLimits, TaskPage, TaskRecord, TaskStore } from '../../index.ts';
import type { Database } from './database.ts';
import type { PostgresBus } from './postgres-bus.ts';
import { readText, storedKey, storedText, wholeTime } from './texts.ts';

/** The tasks that actions have become: a row with a version each. Every change is a notice on the channel of its task. */
export class PostgresTaskStore implements TaskStore {
  readonly #database: Database;
  readonly #bus: PostgresBus;
  readonly #sql: Readonly<
    Record<'add' | 'get' | 'update' | 'journal' | 'list' | 'remove' | 'forget' | 'tell', string>
  >;

  constructor(database: Database, bus: PostgresBus) {
    const { schema } = database;
    const own = 'app = $1 AND task_id = $2';
    const live = `expires_at > ${schema}.clock()`;
    this.#database = database;
    this.#bus = bus;
    this.#sql = {
      add: `SELECT ${schema}.add_task(ROW($1, $2, $3, $4::bigint, $5::float8, 0,
        CASE WHEN $6::boolean THEN nextval('${schema}.numbers') END, $7, $8::bigint)::${schema}.tasks, $9, $10, $11) AS is_added`,
      get: `SELECT ${schema}.find_task($1, $2) AS record`,
      update: `SELECT ${schema}.update_task($1, $2, $3, $4, $5, $6, $7, $8) AS is_updated`,
      journal: `SELECT entry FROM ${schema}.task_entries WHERE ${own} ORDER BY number`,
      list: `SELECT record FROM ${schema}.tasks WHERE app = $1 AND subject = $2 AND ${live}
        AND (created_at, task_id) > ($3::float8, $4) ORDER BY created_at, task_id LIMIT $5`,
      forget: `WITH removed AS (
        DELETE FROM ${schema}.tasks WHERE app = $1 AND subject >= $2 AND subject < $3 RETURNING task_id, ${live} AS live),
        uncounted AS (DELETE FROM ${schema}.task_counts WHERE app = $1 AND name >= '.' || $2 AND name < '.' || $3)
        SELECT live, task_id FROM removed`,
      remove: `WITH removed AS (DELETE FROM ${schema}.tasks WHERE ${own} RETURNING 1)
        SELECT pg_notify($3, 't0:') FROM removed`,
      tell: `SELECT pg_notify(channel, 't0:') FROM unnest($1::text[]) AS channels (channel)`,
    };
  }

  async create(task: TaskRecord, limits: TaskLimits): Promise<boolean> {
    const perOwner = task.subject === undefined ? limits.withoutSubject : limits.perSubject;
    const [row] = await this.#database.query(this.#sql.add, [
      ...this.#keyOf(task.taskId),
      task.subject === undefined ? null : storedKey(task.subject),
      task.version,
      task.createdAt,
      isDone(task),
      storedText(JSON.stringify(task)),
      wholeTime(task.ttl),
      limits.total,
      perOwner,
      // Nobody watches a task that is not there yet, or one that makes room because it is done
      this.#bus.nameOf('tasks'),
    ]);
    return row?.['is_added'] === true;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    const [row] = await this.#database.query(this.#sql.get, this.#keyOf(taskId));
    return row === undefined || row['record'] === null ? undefined : recordOf(row);
  }

  now(): Promise<number> {
    return this.#database.now();
  }

  async update(task: TaskRecord, entries: readonly string[] = []): Promise<boolean> {
    const key = this.#keyOf(task.taskId);
    const [row] = await this.#database.query(this.#sql.update, [
      ...key,
      task.version,
      storedText(JSON.stringify(task)),
      wholeTime(task.ttl),
      isDone(task),
      this.#nameChannel(key[1]),
      entries.map(storedText),
    ]);
    return row?.['is_updated'] === true;
  }

  async journal(taskId: string): Promise<readonly string[]> {
    const rows = await this.#database.query(this.#sql.journal, this.#keyOf(taskId));
    return rows.map((row) => readText(row['entry']));
  }

  async list(subject: string, { after, limit }: TaskPage): Promise<readonly TaskRecord[]> {
    const position = [after?.createdAt ?? '-Infinity', after === undefined ? '' : storedKey(after.taskId)];
    const values = [this.#database.app, storedKey(subject), ...position, limit];
    return (await this.#database.query(this.#sql.list, values)).map(recordOf);
  }

  async delete(taskId: string): Promise<void> {
    const key = this.#keyOf(taskId);
    await this.#database.query(this.#sql.remove, [...key, this.#nameChannel(key[1])]);
  }

  async forget(owner: string): Promise<number> {
    const rows = await this.#database.query(this.#sql.forget, [this.#database.app, `${owner}.`, `${owner}/`]);
    const channels = rows.map((row) => this.#nameChannel(String(row['task_id'])));
    await this.#database.query(this.#sql.tell, [channels]);
    return rows.filter((row) => row['live'] === true).length;
  }

  watch(taskId: string, listener: () => void): Promise<() => void> {
    return this.#bus.keep(this.#nameChannel(storedKey(taskId)), listener);
  }

  #nameChannel(key: string): string {
    return this.#bus.nameOf(`task ${key}`);
  }

  #keyOf(taskId: string): readonly [app: string, taskId: string] {
    return [this.#database.app, storedKey(taskId)];
  }
}

function isDone({ status }: TaskRecord): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

function recordOf(row: Readonly<Record<string, unknown>>): TaskRecord {
  return JSON.parse(readText(row['record'])) as TaskRecord;
}
