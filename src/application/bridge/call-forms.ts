import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import { ConversionError } from '../../formats/errors.ts';
import type { PlainObject } from '../../shared/json.ts';
import {
  blockText,
  memberReader,
  pictureOf,
  readArguments,
  resultText,
  type CallForm,
} from './model-call.ts';

const readChat = memberReader('openai');

/** Chat completions: an entry of `tool_calls` in, a message of the role `tool` out. */
const openaiForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = readChat.object(raw, '');
    const named = readChat.object(call['function'], '/function');
    const text = named['arguments'] ?? '';
    return {
      id: readChat.text(call['id'], '/id'),
      name: readChat.text(named['name'], '/function/name'),
      ...readArguments(text === '' ? '' : readChat.text(text, '/function/arguments')),
    };
  },
  write: ({ id }, result) => ({ role: 'tool', tool_call_id: id, content: resultText(result) }),
} satisfies CallForm);

const readResponses = memberReader('openai-responses');

/** Responses: an item of the type `function_call` in, one of the type `function_call_output` out. */
const openaiResponsesForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = readResponses.object(raw, '');
    const text = call['arguments'] ?? '';
    return {
      id: readResponses.text(call['call_id'], '/call_id'),
      name: readResponses.text(call['name'], '/name'),
      ...readArguments(text === '' ? '' : readResponses.text(text, '/arguments')),
    };
  },
  write: ({ id }, result) => {
    const hasPictures = result.content.some((block) => pictureOf(block) !== undefined);
    const output = hasPictures ? result.content.map(responsesPart) : resultText(result);
    return { type: 'function_call_output', call_id: id, output };
  },
} satisfies CallForm);

function responsesPart(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { type: 'input_text', text: blockText(block) };
  const { mimeType, data } = picture;
  return { type: 'input_image', detail: 'auto', image_url: `data:${mimeType};base64,${data}` };
}

const readAnthropic = memberReader('anthropic');

/** Messages: a block of the type `tool_use` in, one of the type `tool_result` out. */
const anthropicForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = readAnthropic.object(raw, '');
    return {
      id: readAnthropic.text(call['id'], '/id'),
      name: readAnthropic.text(call['name'], '/name'),
      args: call['input'] ?? {},
    };
  },
  write: ({ id }, { content, isError }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: content.map(anthropicPart),
    ...(isError === true ? { is_error: true } : {}),
  }),
} satisfies CallForm);

function anthropicPart(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { type: 'text', text: blockText(block) };
  return { type: 'image', source: { type: 'base64', media_type: picture.mimeType, data: picture.data } };
}

const readGemini = memberReader('gemini');

/** A part with a `functionCall`, or the call itself, in; a part with a `functionResponse` out. */
const geminiForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const part = readGemini.object(raw, '');
    const call =
      part['functionCall'] === undefined ? part : readGemini.object(part['functionCall'], '/functionCall');
    return {
      id: readGemini.optionalText(call['id'], '/id'),
      name: readGemini.text(call['name'], '/name'),
      args: call['args'] ?? {},
    };
  },
  write: ({ id, name }, result) => {
    const { structuredContent, isError, content } = result;
    const text = resultText(result);
    const parts = content.flatMap((block) => pictureOf(block) ?? []).map((inlineData) => ({ inlineData }));
    return {
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name,
        response: isError === true ? { error: text } : { output: structuredContent ?? text },
        ...(parts.length === 0 ? {} : { parts }),
      },
    };
  },
} satisfies CallForm);

const readMcp = memberReader('mcp');

/** The params of tools/call in, its result out. */
const mcpForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const call = readMcp.object(raw, '');
    return { id: undefined, name: readMcp.text(call['name'], '/name'), args: call['arguments'] ?? {} };
  },
  write: (_call, result) => result,
} satisfies CallForm);

const readA2a = memberReader('a2a');

/**
 * A message with a data part `{ skill, arguments }` in, a message of the agent out. A2A has no tool calls of its own:
 * a message says which skill it is for only by agreement, and this is ours.
 */
const a2aForm: CallForm = Object.freeze({
  read: (raw: unknown) => {
    const message = readA2a.object(raw, '');
    const data = dataOf(message['parts']);
    return {
      id: readA2a.text(message['messageId'], '/messageId'),
      name: readA2a.text(data['skill'], '/parts/data/skill'),
      args: data['arguments'] ?? {},
    };
  },
  write: ({ id }, result) => ({
    messageId: `${String(id)}-result`,
    role: 'ROLE_AGENT',
    parts: a2aParts(result),
    ...(result.isError === true ? { metadata: { isError: true } } : {}),
  }),
} satisfies CallForm);

function dataOf(parts: unknown): PlainObject {
  for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
    const { data } = readA2a.object(part, '/parts');
    if (data !== undefined) return readA2a.object(data, '/parts/data');
  }
  const cause = 'a message that calls a tool needs a data part { skill, arguments }';
  throw new ConversionError('INVALID_INPUT', {
    adapter: 'a2a',
    direction: 'toCanonical',
    path: '/parts',
    cause,
  });
}

function a2aParts({ content, structuredContent }: CallToolResult): readonly object[] {
  const parts = content.map(a2aPart);
  return structuredContent === undefined ? parts : [...parts, { data: structuredContent }];
}

function a2aPart(block: ContentBlock): object {
  const picture = pictureOf(block);
  if (picture === undefined) return { text: blockText(block) };
  return { raw: picture.data, mediaType: picture.mimeType };
}

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
