import type { CallToolResult, ContentBlock } from '../../call/call-tool-result.ts';
import type { PlainObject } from '../../shared/json.ts';

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
  const { type, text, mimeType, uri, name, resource } = block as ContentBlock & PlainObject;
  if (type === 'text') return String(text);
  if (type === 'resource_link') return `${String(name)}: ${String(uri)}`;
  if (type !== 'resource') return `(${type} of the type ${String(mimeType)}, which cannot be shown here)`;
  const { text: written, uri: source } = (resource ?? {}) as PlainObject;
  return typeof written === 'string'
    ? written
    : `(the resource ${String(source)}, which cannot be shown here)`;
}

/** The picture in a block, if it is one. */
export function pictureOf({ type, data, mimeType }: ContentBlock): Picture | undefined {
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return undefined;
  return { data, mimeType };
}
