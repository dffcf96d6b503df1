import { Module, type DynamicModule } from 'toolwright';
import { FolderModule, type FolderOptions } from './folder/folder.module.ts';
import { PagesModule } from './pages/pages.module.ts';
import { WritingModule } from './writing/writing.module.ts';

@Module()
export class AppModule {
  static forRoot(options: FolderOptions): DynamicModule {
    return { module: AppModule, imports: [FolderModule.forRoot(options), PagesModule, WritingModule] };
  }
}
