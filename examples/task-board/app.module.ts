import { Module, type DynamicModule } from 'toolwright';
import { AuditModule } from './audit/audit.module.ts';
import { StorageModule, type StorageOptions } from './storage/storage.module.ts';
import { BoardController } from './tasks/board.controller.ts';
import { CommentsController } from './tasks/comments.controller.ts';
import { TaskStore } from './tasks/task-store.ts';
import { TasksController } from './tasks/tasks.controller.ts';

@Module({
  imports: [AuditModule],
  controllers: [BoardController, TasksController, CommentsController],
  providers: [TaskStore],
})
export class BoardModule {}

@Module()
export class AppModule {
  static forRoot(options: StorageOptions): DynamicModule {
    return { module: AppModule, imports: [StorageModule.forRoot(options), BoardModule] };
  }
}
