import type { PlainObject } from '../shared/json.ts';
import type { ContentBlock } from './content-block.ts';

/** One message of a prompt (spec: server/prompts, PromptMessage). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** The result of prompts/get on the wire. */
export interface GetPromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: PlainObject;
}
