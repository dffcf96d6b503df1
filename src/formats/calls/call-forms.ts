import { a2aForm } from './a2a-form.ts';
import { anthropicForm } from './anthropic-form.ts';
import type { CallForm } from './call-form.ts';
import { geminiForm } from './gemini-form.ts';
import { mcpForm } from './mcp-form.ts';
import { openaiForm } from './openai-form.ts';
import { openaiResponsesForm } from './openai-responses-form.ts';

/** The formats in which an application can be called. */
export type CallFormat = 'mcp' | 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'a2a';

export const CALL_FORMS: Readonly<Record<CallFormat, CallForm>> = Object.freeze({
  mcp: mcpForm,
  openai: openaiForm,
  'openai-responses': openaiResponsesForm,
  anthropic: anthropicForm,
  gemini: geminiForm,
  a2a: a2aForm,
});
