import { Complete, Injectable, Resource, type ListedResource } from 'toolwright';
import { PageFolder } from '../folder/page-folder.ts';
import { INDEX_URI, PAGE_URI, PageReference, uriOf } from '../folder/page-path.ts';
import { describePage } from './page.ts';
import { PageIndex } from './page-index.ts';

@Injectable()
export class PagesResources {
  constructor(
    private readonly folder: PageFolder,
    private readonly index: PageIndex,
  ) {}

  @Resource(INDEX_URI, {
    title: 'Table of contents',
    description: 'Every page with a link to it',
    mimeType: 'text/markdown',
    annotations: { audience: ['user', 'assistant'], priority: 1 },
  })
  contents(): string {
    return this.index.pages.map(({ path, title }) => `- [${title}](${uriOf(path)})\n`).join('');
  }

  @Resource(PAGE_URI, {
    title: 'Page',
    description: 'One page of the knowledge base',
    mimeType: 'text/markdown',
    list: 'pages',
  })
  page({ path }: PageReference): Promise<string | undefined> {
    return this.folder.read(path);
  }

  pages(): readonly ListedResource[] {
    return this.index.pages.map(describePage);
  }

  @Complete('page', 'path')
  paths(typed: string): readonly string[] {
    return this.index.pages.map(({ path }) => path).filter((path) => path.startsWith(typed));
  }
}
