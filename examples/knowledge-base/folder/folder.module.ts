import { Module, type DynamicModule } from 'toolwright';
import { PageFolder } from './page-folder.ts';

export interface FolderOptions {
  /** Where the pages are. */
  readonly folder: string;
  /** What a folder that is not there yet begins with. */
  readonly sample: string;
}

@Module()
export class FolderModule {
  static forRoot({ folder, sample }: FolderOptions): DynamicModule {
    return {
      module: FolderModule,
      global: true,
      providers: [{ provide: PageFolder, useFactory: () => PageFolder.open(folder, sample) }],
      exports: [PageFolder],
    };
  }
}
