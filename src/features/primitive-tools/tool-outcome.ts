import { failureResult } from '../../call/result-helpers.ts';
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '../../call/results.ts';
import { resultOf, type Outcome } from '../../kernel/call/outcome.ts';

/** What a method gave, as the result of a tool. Questions, and refusals with a status, stay as they are. */
export function toToolOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === 'failure') {
    const { error, challenge } = outcome;
    if (challenge !== undefined) return outcome;
    const { code = 'NOT_FOUND' } = error.data ?? {};
    return resultOf(failureResult({ code: String(code), message: error.message }));
  }
  if (outcome.kind !== 'result') return outcome;
  const value = outcome.value as Partial<ReadResourceResult & GetPromptResult>;
  if (value.contents !== undefined) return resultOf({ content: value.contents.map(toBlock) });
  return value.messages === undefined ? outcome : resultOf(toMessages(value.messages));
}

function toBlock(resource: ReadResourceResult['contents'][number]): ContentBlock {
  const { text, blob, mimeType = '' } = resource;
  if (text !== undefined) return { type: 'text', text };
  const kind = mimeType.split('/')[0];
  return blob !== undefined && (kind === 'image' || kind === 'audio')
    ? { type: kind, data: blob, mimeType }
    : { type: 'resource', resource };
}

function toMessages(messages: GetPromptResult['messages']): CallToolResult {
  const isOne = messages.length === 1 && messages[0]?.role === 'user';
  return {
    content: messages.map(({ role, content }) =>
      content.type === 'text' && !isOne ? { ...content, text: `${role}: ${content.text}` } : content,
    ),
  };
}
