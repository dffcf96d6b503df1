import { Module, type DynamicModule } from 'toolwright';
import { Database } from './database.ts';

@Module()
export class StorageModule {
  static forRoot(file: string): DynamicModule {
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => Database.open(file) }],
      exports: [Database],
    };
  }
}
