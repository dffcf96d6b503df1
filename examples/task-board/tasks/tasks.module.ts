import { Module } from 'toolwright';
import { AuditModule } from '../audit/audit.module.ts';
import { CommentsController } from './comments.controller.ts';
import { TaskStore } from './task-store.ts';
import { TasksController } from './tasks.controller.ts';

@Module({
  imports: [AuditModule],
  controllers: [TasksController, CommentsController],
  providers: [TaskStore],
})
export class TasksModule {}
