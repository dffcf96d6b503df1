import { Action, Destructive, Idempotent, Middleware, ReadOnly, ToolContext, ToolGroup } from 'toolwright';
import { AuditTrail } from '../audit/audit-trail.ts';
import { UnitOfWork } from '../storage/unit-of-work.ts';
import { BoardController } from './board.controller.ts';
import { CreateTask, ListTasks, TaskReference, Workspace } from './inputs.ts';
import { TaskStore, type Task } from './task-store.ts';

@ToolGroup({ name: 'tasks', description: 'The tasks themselves', parent: BoardController })
export class TasksController {
  constructor(private readonly store: TaskStore) {}

  @Action('List tasks, most urgent first')
  @ReadOnly()
  list({ done }: ListTasks, { workspaceId }: Workspace): Promise<readonly Task[]> {
    return this.store.list(workspaceId, done);
  }

  @Action('Create a task')
  @Middleware(AuditTrail)
  create(input: CreateTask, { workspaceId }: Workspace, unit: UnitOfWork): Promise<Task> {
    return this.store.create(unit, workspaceId, input.title, input.priority);
  }

  @Action('Mark a task as done')
  @Idempotent()
  @Middleware(AuditTrail)
  finish({ task }: TaskReference, { workspaceId }: Workspace, unit: UnitOfWork): Promise<Task> {
    return this.store.finish(unit, workspaceId, task);
  }

  @Action('Delete a task and its comments for good')
  @Destructive()
  @Middleware(AuditTrail)
  async delete(
    { task }: TaskReference,
    { workspaceId }: Workspace,
    unit: UnitOfWork,
    ctx: ToolContext,
  ): Promise<string> {
    await this.store.delete(unit, workspaceId, task);
    await ctx.log(`task ${String(task)} was deleted`, 'notice', 'task-board');
    return `Task ${String(task)} is gone`;
  }
}
