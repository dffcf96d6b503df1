import type { Row } from '@libsql/client';
import { Injectable, ToolError } from 'toolwright';
import { Database } from '../storage/database.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { CreateTask } from './inputs.ts';

export interface Task {
  readonly task: number;
  readonly title: string;
  readonly priority: number;
  readonly done: boolean;
}

/** Reads see what is committed; writes belong to the unit of work of the call. */
@Injectable()
export class TaskStore {
  constructor(private readonly database: Database) {}

  async list(workspaceId: string, done?: boolean): Promise<readonly Task[]> {
    const sql = 'SELECT * FROM tasks WHERE workspace = ? AND done = ifnull(?, done) ORDER BY priority, id';
    const rows = await this.database.query(sql, [workspaceId, done ?? null]);
    return rows.map(toTask);
  }

  async create(unit: UnitOfWork, workspaceId: string, { title, priority }: CreateTask): Promise<Task> {
    const sql =
      'INSERT INTO tasks (workspace, title, priority) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING *';
    const { rows } = await unit.run(sql, [workspaceId, title, priority]);
    if (rows[0] === undefined) throw new ToolError('TASK_EXISTS', `There is a task "${title}" already`);
    return toTask(rows[0]);
  }

  async finish(unit: UnitOfWork, workspaceId: string, task: number): Promise<Task> {
    const sql = 'UPDATE tasks SET done = 1 WHERE workspace = ? AND id = ? RETURNING *';
    const { rows } = await unit.run(sql, [workspaceId, task]);
    if (rows[0] === undefined) throw unknownTask(task);
    return toTask(rows[0]);
  }

  async delete(unit: UnitOfWork, workspaceId: string, task: number): Promise<void> {
    const sql = 'DELETE FROM tasks WHERE workspace = ? AND id = ?';
    const { rowsAffected } = await unit.run(sql, [workspaceId, task]);
    if (rowsAffected === 0) throw unknownTask(task);
  }

  async comment(unit: UnitOfWork, workspaceId: string, task: number, text: string): Promise<void> {
    const sql = 'INSERT INTO comments (task, text) SELECT id, ? FROM tasks WHERE workspace = ? AND id = ?';
    const { rowsAffected } = await unit.run(sql, [text, workspaceId, task]);
    if (rowsAffected === 0) throw unknownTask(task);
  }

  async comments(workspaceId: string, task: number): Promise<readonly string[]> {
    const sql =
      'SELECT text FROM comments JOIN tasks ON tasks.id = task WHERE workspace = ? AND task = ? ORDER BY comments.id';
    return (await this.database.query(sql, [workspaceId, task])).map((row) => row['text'] as string);
  }
}

function toTask(row: Row): Task {
  return {
    task: row['id'] as number,
    title: row['title'] as string,
    priority: row['priority'] as number,
    done: row['done'] === 1,
  };
}

function unknownTask(task: number): ToolError {
  return new ToolError('UNKNOWN_TASK', `There is no task ${task} in this workspace`, {
    suggestion: 'list the tasks first',
    availableActions: ['tasks.list'],
  });
}
