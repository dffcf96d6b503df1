import { openai } from '../../targets/openai.ts';
import { openaiStrict } from '../../targets/openai-strict.ts';
import { createAdapter } from '../create-adapter.ts';
import type { FormatAdapter } from '../format-adapter.ts';
import { OPENAI_NAMES } from '../openai/openai-adapter.ts';
import { readFunction } from '../openai/read-function.ts';
import { writeFunction } from '../openai/write-function.ts';

/** Function tools of OpenAI's Responses API. */
export const openaiResponsesAdapter: FormatAdapter = createAdapter({
  name: 'openai-responses',
  names: OPENAI_NAMES,
  target: (_options, strict) => (strict ? openaiStrict : openai),
  read: readFunction('openai-responses'),
  write: (writing) => {
    // Results come from the tool, not from the model: nothing holds anybody to this schema
    const output = writing.output(openai);
    return {
      type: 'function',
      ...writeFunction(writing),
      ...(output !== undefined && { output_schema: output }),
    };
  },
});
