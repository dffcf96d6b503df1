import { deepCopy } from '../shared/deep-freeze.ts';
import { isPlainObject } from '../shared/json.ts';
import type { CallToolResult } from './call-tool-result.ts';
import { checkBase64, checkMimeType, checkString, invalidContent } from './check-content.ts';
import { annotated, type ContentAnnotations } from './content-annotations.ts';
import type { ContentBlock, MediaBlock, TextBlock } from './content-block.ts';
import { formatData, jsonView } from './format-value.ts';
import { describeReceived } from './issue.ts';
import { brandBlock, isMadeBlock } from './made-block.ts';
import { brandResult } from './made-result.ts';
import { isContentBlock } from './result-shape.ts';

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

/**
 * A result of several blocks; a string is a block of text.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything that is no block.
 * @example
 * return content('The chart of last week:', image('iVBORw0KGgo=', 'image/png'));
 */
export function content(...parts: readonly (ContentBlock | string)[]): CallToolResult {
  return brandResult({ content: parts.map((part) => blockOf('content', part)) });
}

/**
 * A result with `structuredContent`, and a text for clients that do not read it: JSON unless given.
 * A value that is no object is sent as `{ result: value }`, because older clients accept objects only.
 *
 * @throws ToolwrightError `TW_RESULT_NOT_DATA` for a value that JSON cannot carry.
 * @example
 * return structured({ celsius: 21.5 }, 'It is 21.5 °C');
 */
export function structured(value: unknown, text?: string): CallToolResult {
  const view = jsonView(value ?? null);
  return brandResult({
    content: [{ type: 'text', text: text ?? formatData(view) }],
    structuredContent: isPlainObject(view) ? view : { result: view },
  });
}

/** A part of a list of content as a made block; blocks that were written by hand are copied. */
export function blockOf(helper: string, part: ContentBlock | string): ContentBlock {
  if (typeof part === 'string') return text(part);
  if (isMadeBlock(part)) return part;
  if (isContentBlock(part)) return brandBlock(deepCopy(part));
  throw invalidContent(
    helper,
    `got ${describeReceived(part)}, which is no content block.`,
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
