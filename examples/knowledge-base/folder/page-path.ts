import { IsString, Matches, MaxLength } from 'class-validator';
import { Field } from 'toolwright';

/** Segments that begin with a letter or digit: so none is `..`, none is hidden, and the path is not absolute. */
export const PAGE_PATH = /^[\p{L}\p{N}][\p{L}\p{N} ._-]*(?:\/[\p{L}\p{N}][\p{L}\p{N} ._-]*)*$/u;

/** What names a page: in a tool, in a prompt, and in a URI. */
export class PageReference {
  @IsString()
  @MaxLength(200)
  @Matches(PAGE_PATH)
  @Field({ description: 'Path of the page, without .md', examples: ['guides/writing'] })
  path!: string;
}

export const INDEX_URI = 'kb://index';
export const PAGE_URI = 'kb://pages/{+path}';

export function uriOf(path: string): string {
  return `kb://pages/${path.split('/').map(encodeURIComponent).join('/')}`;
}
