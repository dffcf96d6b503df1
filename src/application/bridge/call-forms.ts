import type { CallToolResult, ContentBlock } from '../../call/results.ts';
import type { PlainObject } from '../../shared/json.ts';
import { blockText, readPicture, resultText, type CallForm, type MemberReader } from './model-call.ts';

/** Chat completions: an entry of `tool_calls` in, a message of the role `tool` out. */
const openaiForm: CallForm = {
  read: (raw, reader) => {
    const call = reader.object(raw, '');
    const named = reader.object(call['function'], '/function');
    return {
      id: reader.text(call['id'], '/id'),
      name: reader.text(named['name'], '/function/name'),
      ...reader.json(named['arguments'], '/function/arguments'),
    };
  },
  write: ({ id }, result) => ({ role: 'tool', tool_call_id: id, content: resultText(result) }),
};

/** Responses: an item of the type `function_call` in, one of the type `function_call_output` out. */
const openaiResponsesForm: CallForm = {
  read: (raw, reader) => {
    const call = reader.object(raw, '');
    return {
      id: reader.text(call['call_id'], '/call_id'),
      name: reader.text(call['name'], '/name'),
      ...reader.json(call['arguments'], '/arguments'),
    };
  },
  write: ({ id }, result) => {
    const hasPictures = result.content.some((block) => readPicture(block) !== undefined);
    const output = hasPictures ? result.content.map(responsesPart) : resultText(result);
    return { type: 'function_call_output', call_id: id, output };
  },
};

function responsesPart(block: ContentBlock): object {
  const picture = readPicture(block);
  if (picture === undefined) return { type: 'input_text', text: blockText(block) };
  const { mimeType, data } = picture;
  return { type: 'input_image', detail: 'auto', image_url: `data:${mimeType};base64,${data}` };
}

/** Messages: a block of the type `tool_use` in, one of the type `tool_result` out. */
const anthropicForm: CallForm = {
  read: (raw, reader) => {
    const call = reader.object(raw, '');
    return {
      id: reader.text(call['id'], '/id'),
      name: reader.text(call['name'], '/name'),
      args: call['input'] ?? {},
    };
  },
  write: ({ id }, { content, isError }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: content.map(anthropicPart),
    ...(isError === true ? { is_error: true } : {}),
  }),
};

function anthropicPart(block: ContentBlock): object {
  const picture = readPicture(block);
  if (picture === undefined) return { type: 'text', text: blockText(block) };
  return { type: 'image', source: { type: 'base64', media_type: picture.mimeType, data: picture.data } };
}

/** A part with a `functionCall`, or the call itself, in; a part with a `functionResponse` out. */
const geminiForm: CallForm = {
  read: (raw, reader) => {
    const part = reader.object(raw, '');
    const call =
      part['functionCall'] === undefined ? part : reader.object(part['functionCall'], '/functionCall');
    return {
      id: reader.optionalText(call['id'], '/id'),
      name: reader.text(call['name'], '/name'),
      args: call['args'] ?? {},
    };
  },
  write: ({ id, name }, result) => {
    const { structuredContent, isError, content } = result;
    const text = resultText(result);
    const parts = content.flatMap((block) => readPicture(block) ?? []).map((inlineData) => ({ inlineData }));
    return {
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name,
        response: isError === true ? { error: text } : { output: structuredContent ?? text },
        ...(parts.length === 0 ? {} : { parts }),
      },
    };
  },
};

/** The params of tools/call in, its result out. */
const mcpForm: CallForm = {
  read: (raw, reader) => {
    const call = reader.object(raw, '');
    return { id: undefined, name: reader.text(call['name'], '/name'), args: call['arguments'] ?? {} };
  },
  write: (_call, result) => result,
};

/**
 * A message with a data part `{ skill, arguments }` in, a message of the agent out. A2A does not define tool calls;
 * this data part is our convention for naming the skill.
 */
const a2aForm: CallForm = {
  read: (raw, reader) => {
    const message = reader.object(raw, '');
    const data = dataOf(message['parts'], reader);
    return {
      id: reader.text(message['messageId'], '/messageId'),
      name: reader.text(data['skill'], '/parts/data/skill'),
      args: data['arguments'] ?? {},
    };
  },
  write: ({ id }, result) => ({
    messageId: `${String(id)}-result`,
    role: 'ROLE_AGENT',
    parts: a2aParts(result),
    ...(result.isError === true ? { metadata: { isError: true } } : {}),
  }),
};

function dataOf(parts: unknown, reader: MemberReader): PlainObject {
  for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
    const { data } = reader.object(part, '/parts');
    if (data !== undefined) return reader.object(data, '/parts/data');
  }
  return reader.refuse('/parts', 'a message that calls a tool needs a data part { skill, arguments }');
}

function a2aParts({ content, structuredContent }: CallToolResult): readonly object[] {
  const parts = content.map(a2aPart);
  return structuredContent === undefined ? parts : [...parts, { data: structuredContent }];
}

function a2aPart(block: ContentBlock): object {
  const picture = readPicture(block);
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
