import { Action, Middleware, ReadOnly, ToolGroup } from 'toolwright';
import { AuditTrail } from '../audit/audit-trail.ts';
import { Workspace } from '../board/workspace.ts';
import { UnitOfWork } from '../storage/unit-of-work.ts';
import { NewComment, TaskReference } from './inputs.ts';
import { TaskStore } from './task-store.ts';
import { TasksController } from './tasks.controller.ts';

@ToolGroup({ name: 'comments', description: 'What people say about a task', parent: TasksController })
export class CommentsController {
  constructor(private readonly store: TaskStore) {}

  @Action('Read the comments of a task')
  @ReadOnly()
  list({ task }: TaskReference, { workspaceId }: Workspace): Promise<readonly string[]> {
    return this.store.comments(workspaceId, task);
  }

  @Action('Comment on a task')
  @Middleware(AuditTrail)
  async add({ task, text }: NewComment, { workspaceId }: Workspace, unit: UnitOfWork): Promise<string> {
    await this.store.comment(unit, workspaceId, task, text);
    return `Task ${task} has a new comment`;
  }
}
