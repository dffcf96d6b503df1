import { Module, type DynamicModule } from 'toolwright';
import { Database } from './database.ts';
import { Transactional } from './transactional.ts';
import { UnitOfWork } from './unit-of-work.ts';

export interface StorageOptions {
  /** Path of the database file; it is made when it is not there. */
  readonly file: string;
}

@Module()
export class StorageModule {
  static forRoot({ file }: StorageOptions): DynamicModule {
    return {
      module: StorageModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => Database.open(file) }, UnitOfWork, Transactional],
      exports: [Database, UnitOfWork, Transactional],
    };
  }
}
