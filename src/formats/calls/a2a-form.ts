import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import type { PlainObject } from '../../shared/json.ts';
import { ConversionError } from '../errors/conversion-error.ts';
import type { CallForm } from './call-form.ts';
import { memberReader } from './read-members.ts';
import { blockText, pictureOf } from './result-text.ts';

const read = memberReader('a2a');

/**
 * A message with a data part `{ skill, arguments }` in, a message of the agent out. A2A has no tool calls of its own:
 * a message says which skill it is for only by agreement, and this is ours.
 */
export const a2aForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const message = read.object(raw, '');
    const data = dataOf(message['parts']);
    return {
      id: read.text(message['messageId'], '/messageId'),
      name: read.text(data['skill'], '/parts/data/skill'),
      args: data['arguments'] ?? {},
    };
  },
  write: ({ id }, result) => ({
    messageId: `${String(id)}-result`,
    role: 'ROLE_AGENT',
    parts: partsOf(result),
    ...(result.isError === true ? { metadata: { isError: true } } : {}),
  }),
} satisfies CallForm);

function dataOf(parts: unknown): PlainObject {
  for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
    const { data } = read.object(part, '/parts');
    if (data !== undefined) return read.object(data, '/parts/data');
  }
  const cause = 'a message that calls a tool needs a data part { skill, arguments }';
  throw new ConversionError('INVALID_INPUT', {
    adapter: 'a2a',
    direction: 'toCanonical',
    path: '/parts',
    cause,
  });
}

function partsOf({ content, structuredContent }: CallToolResult): readonly object[] {
  const parts = content.map(partOf);
  return structuredContent === undefined ? parts : [...parts, { data: structuredContent }];
}

function partOf(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { text: blockText(block) };
  return { raw: picture.data, mediaType: picture.mimeType };
}
