import type { CallForm } from './call-form.ts';
import { memberReader, readArguments } from './read-members.ts';
import { resultText } from './result-text.ts';

const read = memberReader('openai');

/** Chat completions: an entry of `tool_calls` in, a message of the role `tool` out. */
export const openaiForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = read.object(raw, '');
    const named = read.object(call['function'], '/function');
    const text = named['arguments'] ?? '';
    return {
      id: read.text(call['id'], '/id'),
      name: read.text(named['name'], '/function/name'),
      ...readArguments(text === '' ? '' : read.text(text, '/function/arguments')),
    };
  },
  write: ({ id }, result) => ({ role: 'tool', tool_call_id: id, content: resultText(result) }),
} satisfies CallForm);
