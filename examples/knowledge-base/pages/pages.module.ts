import { Module } from 'toolwright';
import { FolderWatch } from './folder-watch.ts';
import { PageIndex } from './page-index.ts';
import { PagesController } from './pages.controller.ts';
import { PagesResources } from './pages.resources.ts';

@Module({
  controllers: [PagesController, PagesResources],
  providers: [PageIndex, FolderWatch],
  exports: [PageIndex],
})
export class PagesModule {}
