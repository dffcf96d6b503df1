import type { ContentBlock } from '../../call/results.ts';
import type { CallForm } from './call-form.ts';
import { memberReader } from './read-members.ts';
import { blockText, pictureOf } from './result-text.ts';

const read = memberReader('anthropic');

/** Messages: a block of the type `tool_use` in, one of the type `tool_result` out. */
export const anthropicForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = read.object(raw, '');
    return {
      id: read.text(call['id'], '/id'),
      name: read.text(call['name'], '/name'),
      args: call['input'] ?? {},
    };
  },
  write: ({ id }, { content, isError }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: content.map(partOf),
    ...(isError === true ? { is_error: true } : {}),
  }),
} satisfies CallForm);

function partOf(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { type: 'text', text: blockText(block) };
  return { type: 'image', source: { type: 'base64', media_type: picture.mimeType, data: picture.data } };
}
