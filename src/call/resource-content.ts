import { checkBase64, checkFilled, checkMimeType, checkString, invalidContent } from './check-content.ts';
import { annotated, type ContentAnnotations } from './content-annotations.ts';
import type { EmbeddedResourceBlock, ResourceLink, ResourceLinkBlock } from './content-block.ts';
import { describeReceived } from './issue.ts';
import { brandBlock } from './made-block.ts';
import type { ResourceContents } from './resource-result.ts';

/** A resource that comes with the result: its text, or its bytes. */
export type ResourceToEmbed = {
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | { readonly text: string; readonly blob?: undefined }
  | { readonly blob: Uint8Array | string; readonly text?: undefined }
);

/**
 * A link to a resource.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID`.
 * @example
 * return resourceLink({ uri: 'file:///report.pdf', name: 'report', mimeType: 'application/pdf' });
 */
export function resourceLink(link: ResourceLink, annotations?: ContentAnnotations): ResourceLinkBlock {
  const { title, description, mimeType, size } = link;
  const check = (name: string, value: string): string => checkString('resourceLink', name, value);
  return brandBlock({
    type: 'resource_link',
    uri: checkFilled('resourceLink', 'uri', link.uri),
    name: checkFilled('resourceLink', 'name', link.name),
    ...(title === undefined ? {} : { title: check('title', title) }),
    ...(description === undefined ? {} : { description: check('description', description) }),
    ...(mimeType === undefined ? {} : { mimeType: checkMimeType('resourceLink', mimeType) }),
    ...(size === undefined ? {} : { size: checkSize(size) }),
    ...annotated('resourceLink', annotations),
  });
}

/**
 * A resource that comes with the result.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID`.
 * @example
 * return embeddedResource({ uri: 'file:///notes.md', mimeType: 'text/markdown', text: '# Notes' });
 */
export function embeddedResource(
  resource: ResourceToEmbed,
  annotations?: ContentAnnotations,
): EmbeddedResourceBlock {
  const { uri, mimeType } = resource;
  return brandBlock({
    type: 'resource',
    resource: {
      uri: checkFilled('embeddedResource', 'uri', uri),
      ...(mimeType === undefined ? {} : { mimeType: checkMimeType('embeddedResource', mimeType) }),
      ...checkBody(resource),
    },
    ...annotated('embeddedResource', annotations),
  });
}

function checkBody({ text, blob }: ResourceToEmbed): Pick<ResourceContents, 'text' | 'blob'> {
  if ((text === undefined) === (blob === undefined)) {
    const what = text === undefined ? 'got neither text nor blob.' : 'got both text and blob.';
    throw invalidContent('embeddedResource', what, 'pass text, or blob for bytes');
  }
  return blob === undefined
    ? { text: checkString('embeddedResource', 'text', text) }
    : { blob: checkBase64('embeddedResource', 'blob', blob) };
}

function checkSize(size: unknown): number {
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return size;
  throw invalidContent('resourceLink', `got ${describeReceived(size)} for size.`, 'pass the size in bytes');
}
