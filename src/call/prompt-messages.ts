import type { ContentBlock } from './content-block.ts';
import { blockOf } from './content.ts';
import type { PromptMessage } from './prompt-result.ts';

type Part = ContentBlock | string;

/**
 * A message of the user in a prompt. A message has one block, so a list of blocks gives as many messages.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything that is no content.
 * @example
 * return [userMessage('What is the capital of France?'), assistantMessage('Paris')];
 */
export function userMessage(content: Part): PromptMessage;
export function userMessage(content: readonly Part[]): readonly PromptMessage[];
export function userMessage(content: Part | readonly Part[]): PromptMessage | readonly PromptMessage[] {
  return messages('user', content);
}

/**
 * A message of the assistant in a prompt; otherwise like {@link userMessage}.
 *
 * @throws ToolwrightError `TW_CONTENT_INVALID` for anything that is no content.
 * @example
 * const shown = userMessage(['Look:', image('iVBORw0KGgo=', 'image/png')]);
 * return [...shown, assistantMessage('A chart.')];
 */
export function assistantMessage(content: Part): PromptMessage;
export function assistantMessage(content: readonly Part[]): readonly PromptMessage[];
export function assistantMessage(content: Part | readonly Part[]): PromptMessage | readonly PromptMessage[] {
  return messages('assistant', content);
}

function messages(
  role: PromptMessage['role'],
  content: Part | readonly Part[],
): PromptMessage | readonly PromptMessage[] {
  const message = (part: Part): PromptMessage =>
    Object.freeze({ role, content: blockOf(`${role}Message`, part) });
  return isList(content) ? Object.freeze(content.map(message)) : message(content);
}

// Array.isArray does not narrow readonly arrays
function isList(content: Part | readonly Part[]): content is readonly Part[] {
  return Array.isArray(content);
}
