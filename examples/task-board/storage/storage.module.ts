import { Module, type DynamicModule } from 'toolwright';
import { Database } from './database.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface StorageOptions {
  /** Path of the database file, or `:memory:`. */
  readonly file: string;
}

@Module()
export class StorageModule {
  static forRoot({ file }: StorageOptions): DynamicModule {
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => Database.open(file) }, UnitOfWork],
      exports: [Database, UnitOfWork],
    };
  }
}
