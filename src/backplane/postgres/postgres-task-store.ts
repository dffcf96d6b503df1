import type { TaskLimits, TaskPage, TaskRecord, TaskStore } from '../../index.ts';
import type { Database } from './database.ts';
import type { PostgresBus } from './postgres-bus.ts';
import { readText, storedKey, storedText, wholeTime } from './texts.ts';

/** The tasks that actions have become: a row with a version each. Every change is a notice to all instances. */
export class PostgresTaskStore implements TaskStore {
  readonly #database: Database;
  readonly #channel: string;
  readonly #listeners = new Set<(taskId: string) => void>();
  readonly #sql: Readonly<Record<'add' | 'get' | 'update' | 'list' | 'remove' | 'forget', string>>;

  constructor(database: Database, bus: PostgresBus) {
    const { schema } = database;
    const own = 'app = $1 AND task_id = $2';
    const live = `expires_at > ${schema}.clock()`;
    this.#database = database;
    this.#channel = bus.nameOf('tasks');
    this.#sql = {
      add: `SELECT ${schema}.add_task(ROW($1, $2, $3, $4::bigint, $5::float8, 0,
        CASE WHEN $6::boolean THEN nextval('${schema}.numbers') END, $7, $8::bigint)::${schema}.tasks, $9, $10, $11) AS is_added`,
      get: `SELECT record FROM ${schema}.tasks WHERE ${own} AND ${live}`,
      update: `WITH updated AS (
        UPDATE ${schema}.tasks SET version = version + 1, record = $4, expires_at = added_at + $5::bigint,
          done = CASE WHEN $6::boolean THEN COALESCE(done, nextval('${schema}.numbers')) END
        WHERE ${own} AND version = $3::bigint - 1 AND ${live} RETURNING 1)
        SELECT pg_notify($7, 't0:' || $8) FROM updated`,
      list: `SELECT record FROM ${schema}.tasks WHERE app = $1 AND subject = $2 AND ${live}
        AND (created_at, task_id) > ($3::float8, $4) ORDER BY created_at, task_id LIMIT $5`,
      forget: `WITH removed AS (
        DELETE FROM ${schema}.tasks WHERE app = $1 AND subject >= $2 AND subject < $3 RETURNING task_id, ${live} AS live)
        SELECT live, pg_notify($4, 't0:' || task_id) FROM removed`,
      remove: `WITH removed AS (DELETE FROM ${schema}.tasks WHERE ${own} RETURNING 1)
        SELECT pg_notify($3, 't0:' || $4) FROM removed`,
    };
    bus.listen(this.#channel, (taskId) => {
      for (const listener of [...this.#listeners]) listener(taskId);
    });
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
      this.#channel,
    ]);
    return row?.['is_added'] === true;
  }

  async get(taskId: string): Promise<TaskRecord | undefined> {
    const [row] = await this.#database.query(this.#sql.get, this.#keyOf(taskId));
    return row && recordOf(row);
  }

  now(): Promise<number> {
    return this.#database.now();
  }

  async update(task: TaskRecord): Promise<boolean> {
    const rows = await this.#database.query(this.#sql.update, [
      ...this.#keyOf(task.taskId),
      task.version,
      storedText(JSON.stringify(task)),
      wholeTime(task.ttl),
      isDone(task),
      this.#channel,
      task.taskId,
    ]);
    return rows.length === 1;
  }

  async list(subject: string, { after, limit }: TaskPage): Promise<readonly TaskRecord[]> {
    const position = [after?.createdAt ?? '-Infinity', after === undefined ? '' : storedKey(after.taskId)];
    const values = [this.#database.app, storedKey(subject), ...position, limit];
    return (await this.#database.query(this.#sql.list, values)).map(recordOf);
  }

  async delete(taskId: string): Promise<void> {
    await this.#database.query(this.#sql.remove, [...this.#keyOf(taskId), this.#channel, taskId]);
  }

  async forget(owner: string): Promise<number> {
    const values = [this.#database.app, `${owner}.`, `${owner}/`, this.#channel];
    const rows = await this.#database.query(this.#sql.forget, values);
    return rows.filter((row) => row['live'] === true).length;
  }

  onChange(listener: (taskId: string) => void): () => void {
    const own = (taskId: string): void => {
      listener(taskId);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
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
