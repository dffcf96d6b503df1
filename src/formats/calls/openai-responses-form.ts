import type { ContentBlock } from '../../call/results.ts';
import type { CallForm } from './call-form.ts';
import { memberReader, readArguments } from './read-members.ts';
import { blockText, pictureOf, resultText } from './result-text.ts';

const read = memberReader('openai-responses');

/** Responses: an item of the type `function_call` in, one of the type `function_call_output` out. */
export const openaiResponsesForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = read.object(raw, '');
    const text = call['arguments'] ?? '';
    return {
      id: read.text(call['call_id'], '/call_id'),
      name: read.text(call['name'], '/name'),
      ...readArguments(text === '' ? '' : read.text(text, '/arguments')),
    };
  },
  write: ({ id }, result) => {
    const hasPictures = result.content.some((block) => pictureOf(block) !== undefined);
    const output = hasPictures ? result.content.map(partOf) : resultText(result);
    return { type: 'function_call_output', call_id: id, output };
  },
} satisfies CallForm);

function partOf(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { type: 'input_text', text: blockText(block) };
  const { mimeType, data } = picture;
  return { type: 'input_image', detail: 'auto', image_url: `data:${mimeType};base64,${data}` };
}
