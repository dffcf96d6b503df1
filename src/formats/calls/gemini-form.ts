import type { CallForm } from './call-form.ts';
import { memberReader } from './read-members.ts';
import { pictureOf, resultText } from './result-text.ts';

const read = memberReader('gemini');

/** A part with a `functionCall`, or the call itself, in; a part with a `functionResponse` out. */
export const geminiForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const part = read.object(raw, '');
    const call =
      part['functionCall'] === undefined ? part : read.object(part['functionCall'], '/functionCall');
    return {
      id: read.optionalText(call['id'], '/id'),
      name: read.text(call['name'], '/name'),
      args: call['args'] ?? {},
    };
  },
  write: ({ id, name }, result) => {
    const { structuredContent, isError, content } = result;
    const text = resultText(result);
    const parts = content.flatMap((block) => pictureOf(block) ?? []).map((inlineData) => ({ inlineData }));
    return {
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name,
        response: isError === true ? { error: text } : { output: structuredContent ?? text },
        ...(parts.length === 0 ? {} : { parts }),
      },
    };
  },
} satisfies CallForm);
