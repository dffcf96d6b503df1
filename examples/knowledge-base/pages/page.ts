import { resourceLink, type ListedResource, type ResourceLinkBlock } from 'toolwright';
import type { PageFile } from '../folder/page-folder.ts';
import { uriOf } from '../folder/page-path.ts';

/** A page as the index knows it. */
export interface Page extends PageFile {
  readonly title: string;
  readonly text: string;
}

/** The title is the first heading, or else the path. */
export function toPage(file: PageFile, text: string): Page {
  const [, heading] = /^#\s+(.+)$/m.exec(text) ?? [];
  return { ...file, title: heading?.trim() ?? file.path, text };
}

/** A page as clients list it, and as results link to it. */
export function describePage({ path, title, size, modified }: Page): ListedResource & { name: string } {
  return {
    uri: uriOf(path),
    name: path,
    title,
    size,
    annotations: { audience: ['user', 'assistant'], lastModified: modified.toISOString() },
  };
}

export function linkTo(page: Page): ResourceLinkBlock {
  const { annotations, ...link } = describePage(page);
  return resourceLink({ ...link, mimeType: 'text/markdown' }, annotations);
}
