import { Module, type DynamicModule } from 'toolwright';
import { AuditModule } from './audit/audit.module.ts';
import { BoardController } from './board/board.controller.ts';
import { StorageModule, type StorageOptions } from './storage/storage.module.ts';
import { TasksModule } from './tasks/tasks.module.ts';

@Module({ controllers: [BoardController] })
export class AppModule {
  static forRoot(storage: StorageOptions): DynamicModule {
    return { module: AppModule, imports: [StorageModule.forRoot(storage), TasksModule, AuditModule] };
  }
}
