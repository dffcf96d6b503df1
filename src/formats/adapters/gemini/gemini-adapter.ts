import { geminiJson } from '../../targets/gemini-json.ts';
import { geminiOpenApi } from '../../targets/gemini-openapi.ts';
import { createAdapter } from '../create-adapter.ts';
import type { FormatAdapter } from '../format-adapter.ts';
import { readGemini } from './read-gemini.ts';
import { writeGemini } from './write-gemini.ts';

/** Function declarations of the Gemini API. */
export const geminiAdapter: FormatAdapter = createAdapter({
  name: 'gemini',
  names: {
    rule: { forbidden: /[^A-Za-z0-9_.:-]/u, forbiddenFirst: /^[^A-Za-z_]/u, maxLength: 64 },
    qualifies: true,
  },
  target: ({ schema }) => (schema === 'parameters' ? geminiOpenApi : geminiJson),
  read: readGemini,
  write: writeGemini,
});
