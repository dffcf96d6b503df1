import type { Target } from '../rewrite/rule.ts';
import { anthropic } from './anthropic.ts';
import { anthropicStrict } from './anthropic-strict.ts';
import { geminiJson } from './gemini-json.ts';
import { geminiOpenApi } from './gemini-openapi.ts';
import { mcp } from './mcp.ts';
import { openai } from './openai.ts';
import { openaiStrict } from './openai-strict.ts';

/** The columns of the matrix, in its order. */
export const TARGETS: readonly Target[] = Object.freeze([
  mcp,
  openai,
  openaiStrict,
  anthropic,
  anthropicStrict,
  geminiOpenApi,
  geminiJson,
]);
