import { Action, Destructive, Idempotent, Middleware, ReadOnly, ToolContext, ToolGroup } from 'toolwright';
import { AuditTrail } from '../audit/audit-trail.ts';
import { BoardController } from '../board/board.controller.ts';
import { Workspace } from '../board/workspace.ts';
import { UnitOfWork } from '../storage/unit-of-work.ts';
import { CreateTask, ListTasks, PlanTasks, TaskReference } from './inputs.ts';
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
    return this.store.create(unit, workspaceId, input);
  }

  @Action('Create several tasks: all of them, or none')
  @Middleware(AuditTrail)
  async plan({ tasks }: PlanTasks, { workspaceId }: Workspace, unit: UnitOfWork): Promise<readonly Task[]> {
    const created: Task[] = [];
    for (const task of tasks) created.push(await this.store.create(unit, workspaceId, task));
    return created;
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
    await ctx.log(`Task ${task} was deleted`, 'notice', 'task-board');
    return `Task ${task} is gone`;
  }
}
