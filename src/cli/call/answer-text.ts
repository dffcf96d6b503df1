import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult } from '../../index.ts';
import { visibleLine } from '../../shared/visible-text.ts';

type ResourceContents = ReadResourceResult['contents'][number];

/** A part of an answer that is bytes, as base64. */
export interface Blob {
  readonly mimeType: string;
  readonly data: string;
}

/** The content of a result as text; structured content counts where there is nothing else. */
export function toolResultText({ content, structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join('\n');
  if (text !== '' || structuredContent === undefined) return text;
  return JSON.stringify(structuredContent, undefined, 2);
}

/** The messages of a prompt, each below the name of its role. */
export function promptText({ messages }: GetPromptResult): string {
  return messages.map(({ role, content }) => `${visibleLine(role)}:\n${blockText(content)}`).join('\n\n');
}

export function resourceText({ contents }: ReadResourceResult): string {
  return contents.map(contentsText).join('\n');
}

/** What content has that is not text. */
export function blobsIn(content: readonly ContentBlock[]): readonly Blob[] {
  return content.flatMap((block): readonly Blob[] => {
    if (block.type === 'image' || block.type === 'audio') return [block];
    return block.type === 'resource' ? resourceBlobs([block.resource]) : [];
  });
}

export function resourceBlobs(contents: readonly ResourceContents[]): readonly Blob[] {
  return contents.flatMap(({ blob, mimeType = 'data' }) =>
    blob === undefined ? [] : [{ mimeType, data: blob }],
  );
}

/** What is not text is named, with its kind and size. */
function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${visibleLine(block.mimeType)}, ${sizeOf(block.data)}; --out <file> saves it]`;
    case 'resource_link':
      return `[${visibleLine(`${block.title ?? block.name}: ${block.uri}`)}]`;
    case 'resource':
      return contentsText(block.resource);
    default:
      return JSON.stringify(block);
  }
}

function contentsText({ text, blob = '', mimeType, uri }: ResourceContents): string {
  return (
    text ?? `[${visibleLine(`${mimeType ?? 'data'} of ${uri}`)}, ${sizeOf(blob)}; --out <file> saves it]`
  );
}

function sizeOf(base64: string): string {
  return `${String(Buffer.byteLength(base64, 'base64'))} bytes`;
}
