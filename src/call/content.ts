import { deepCopy } from '../shared/deep-freeze.ts';
import {
  annotated,
  checkBase64,
  checkFilled,
  checkMimeType,
  checkString,
  invalidContent,
} from './check-content.ts';
import { brandBlock, isContentBlock, isHelperBlock } from './handler-value.ts';
import { describeReceived } from './issue.ts';
import type {
  ContentAnnotations,
  ContentBlock,
  EmbeddedResourceBlock,
  MediaBlock,
  PromptMessage,
  ResourceContents,
  ResourceLink,
  ResourceLinkBlock,
  TextBlock,
} from './results.ts';

/**
 * A block of text for a result or a prompt.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID`.
 * @example
 * return text('Only for the user', { audience: ['user'] });
 */
export function text(text: string, annotations?: ContentAnnotations): TextBlock {
  return brandBlock({
    type: 'text',
    text: checkString('text', 'text', text),
    ...annotated('text', annotations),
  });
}

/**
 * An image from its bytes, or from base64.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID`.
 * @example
 * return image(new Uint8Array([137, 80, 78, 71]), 'image/png');
 */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: ContentAnnotations,
): MediaBlock<'image'> {
  return media('image', data, mimeType, annotations);
}

/**
 * A sound from its bytes, or from base64.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID`.
 * @example
 * return audio('UklGRg==', 'audio/wav');
 */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  annotations?: ContentAnnotations,
): MediaBlock<'audio'> {
  return media('audio', data, mimeType, annotations);
}

/** A part of a list of content as a made block; blocks that were written by hand are copied. */
export function blockOf(helper: string, part: ContentBlock | string): ContentBlock {
  if (typeof part === 'string') return text(part);
  if (isHelperBlock(part)) return part;
  if (isContentBlock(part)) return brandBlock(deepCopy(part));
  throw invalidContent(
    helper,
    `got ${describeReceived(part)}, which is not a content block.`,
    'pass strings and what text(), image(), audio(), resourceLink() and embeddedResource() give',
  );
}

function media<Type extends 'image' | 'audio'>(
  type: Type,
  data: Uint8Array | string,
  mimeType: string,
  annotations: ContentAnnotations | undefined,
): MediaBlock<Type> {
  return brandBlock({
    type,
    data: checkBase64(type, 'data', data),
    mimeType: checkMimeType(type, mimeType),
    ...annotated(type, annotations),
  });
}

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

/** A part of a message: text, or a block of content. */
export type Part = ContentBlock | string;

/**
 * A message of the user in a prompt. A message has one block, so a list of blocks gives as many messages.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything but content.
 * @example
 * return [userMessage('What is the capital of France?'), assistantMessage('Paris')];
 */
export function userMessage(content: Part): PromptMessage;
export function userMessage(content: readonly Part[]): readonly PromptMessage[];
export function userMessage(content: Part | readonly Part[]): PromptMessage | readonly PromptMessage[] {
  return messages('user', content);
}

/**
 * A message of the assistant in a prompt; otherwise like {@link userMessage}.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything but content.
 * @example
 * const shown = userMessage(['Look:', image('iVBORw0KGgo=', 'image/png')]);
 * return [...shown, assistantMessage('A chart.')];
 */
export function assistantMessage(content: Part): PromptMessage;
export function assistantMessage(content: readonly Part[]): readonly PromptMessage[];
export function assistantMessage(content: Part | readonly Part[]): PromptMessage | readonly PromptMessage[] {
  return messages('assistant', content);
}

function messages(
  role: PromptMessage['role'],
  content: Part | readonly Part[],
): PromptMessage | readonly PromptMessage[] {
  const message = (part: Part): PromptMessage =>
    Object.freeze({ role, content: blockOf(`${role}Message`, part) });
  return isList(content) ? Object.freeze(content.map(message)) : message(content);
}

// Array.isArray does not narrow readonly arrays
function isList(content: Part | readonly Part[]): content is readonly Part[] {
  return Array.isArray(content);
}
