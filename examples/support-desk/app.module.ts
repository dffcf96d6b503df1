import { Module, type DynamicModule } from 'toolwright';
import { RefundsModule } from './refunds/refunds.module.ts';
import { StorageModule } from './storage/storage.module.ts';
import { TicketsModule } from './tickets/tickets.module.ts';

@Module()
export class AppModule {
  static forRoot(file: string): DynamicModule {
    return { module: AppModule, imports: [StorageModule.forRoot(file), TicketsModule, RefundsModule] };
  }
}
