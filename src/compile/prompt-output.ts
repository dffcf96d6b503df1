import { isContentBlock, isMadeBlock, isMadeResult, plainData } from '../call/handler-value.ts';
import { describeReceived, type CheckOutcome } from '../call/issue.ts';
import type { ContentBlock, GetPromptResult, PromptMessage } from '../call/results.ts';
import { isPlainObject } from '../shared/json.ts';

const ACCEPTED =
  'a prompt gives a string, content (text(), image(), …), messages (userMessage(), assistantMessage()), ' +
  'a list of these, or { messages }';

const RESULT_KEYS: ReadonlySet<string> = new Set(['description', 'messages', '_meta']);

/** Turns what the handler of a prompt gave into messages. */
export function toPromptResult(value: unknown): CheckOutcome<GetPromptResult> {
  const messages = isPromptResult(value) ? undefined : messagesOf(value);
  // Thrown before what a prompt gives is told: a promise should be awaited, whatever it stands for
  const data = plainData(messages === undefined ? value : { messages });
  if (messages !== undefined || isPromptResult(data)) return { ok: true, value: data as GetPromptResult };
  return { ok: false, issues: [{ path: '', message: ACCEPTED, received: describeReceived(value) }] };
}

function messagesOf(value: unknown): readonly PromptMessage[] | undefined {
  if (isMadeResult(value)) return value.isError === true ? undefined : value.content.map(fromUser);
  if (!Array.isArray(value)) {
    const message = messageOf(value);
    return message && [message];
  }
  // userMessage([…]) gives a list, which stands among other messages
  const messages = (value as readonly unknown[]).flat().map(messageOf);
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

function messageOf(value: unknown): PromptMessage | undefined {
  if (typeof value === 'string') return fromUser({ type: 'text', text: value });
  if (isMadeBlock(value)) return fromUser(value);
  return isMessage(value) ? value : undefined;
}

function fromUser(content: ContentBlock): PromptMessage {
  return { role: 'user', content };
}

/** Exactly a message as the wire has it (spec: server/prompts, PromptMessage). */
function isMessage(value: unknown): value is PromptMessage {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => key === 'role' || key === 'content'))
    return false;
  return (value['role'] === 'user' || value['role'] === 'assistant') && isContentBlock(value['content']);
}

function isPromptResult(value: unknown): value is GetPromptResult {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => RESULT_KEYS.has(key))) return false;
  const { description, messages, _meta: meta } = value;
  return (
    Array.isArray(messages) &&
    messages.every(isMessage) &&
    (description === undefined || typeof description === 'string') &&
    (meta === undefined || isPlainObject(meta))
  );
}
