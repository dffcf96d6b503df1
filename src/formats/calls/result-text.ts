import type { CallToolResult, ContentBlock } from '../../call/results.ts';

/** A picture of a result, as base64. */
export interface Picture {
  readonly data: string;
  readonly mimeType: string;
}

/** What a result says, for providers that take text only. */
export function resultText({ content }: CallToolResult): string {
  return content.map(blockText).join('\n');
}

/** One block as text; what is no text is named, so that the model knows that there is something. */
export function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  if (block.type !== 'resource')
    return `(${block.type} of the type ${block.mimeType}, which cannot be shown here)`;
  const { text, uri } = block.resource;
  return text ?? `(the resource ${uri}, which cannot be shown here)`;
}

/** The picture in a block, if it is one. */
export function pictureOf(block: ContentBlock): Picture | undefined {
  return block.type === 'image' ? { data: block.data, mimeType: block.mimeType } : undefined;
}
