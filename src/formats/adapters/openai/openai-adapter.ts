import { isPlainObject } from '../../../shared/json.ts';
import { openai } from '../../targets/openai.ts';
import { openaiStrict } from '../../targets/openai-strict.ts';
import { createAdapter } from '../create-adapter.ts';
import type { FormatAdapter } from '../format-adapter.ts';
import { readFunction } from './read-function.ts';
import { writeFunction } from './write-function.ts';

export const OPENAI_NAMES = { rule: { forbidden: /[^A-Za-z0-9_-]/u, maxLength: 64 }, qualifies: true };

/** Function tools of OpenAI's Chat Completions API. */
export const openaiAdapter: FormatAdapter = createAdapter({
  name: 'openai',
  names: OPENAI_NAMES,
  target: (_options, strict) => (strict ? openaiStrict : openai),
  read: readFunction('openai'),
  write: (writing) => {
    const { wrapper } = writing.extra();
    writing.lose(['outputSchema']);
    return { type: 'function', function: writeFunction(writing), ...(isPlainObject(wrapper) && wrapper) };
  },
});
