import type { KnownTool, Turn } from './scripted-model.ts';

export type Body = Readonly<Record<string, never>> & Record<string, unknown>;

/** What a request of a provider's SDK says to the model, and how the model's turn goes back. */
export interface WireFormat {
  /** Whether a request's path belongs to the provider. */
  matches(path: string): boolean;
  readTools(body: Body): readonly KnownTool[];
  /** The results of tools so far, as text. */
  readResults(body: Body): readonly string[];
  write(turn: Turn): object;
}

interface Entry {
  readonly role?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly parts?: readonly { readonly functionResponse?: { readonly response: unknown } }[];
}

const list = (value: unknown): readonly never[] => (Array.isArray(value) ? (value as never[]) : []);

export const openaiChat: WireFormat = {
  matches: (path) => path.endsWith('/chat/completions'),
  readTools: (body) =>
    list(body['tools']).map(({ function: { name, parameters } }: never) => ({ name, schema: parameters })),
  readResults: (body) =>
    list(body['messages'])
      .filter(({ role }: Entry) => role === 'tool')
      .map(({ content }: Entry) => String(content)),
  write: (turn) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [
      {
        index: 0,
        finish_reason: 'call' in turn ? 'tool_calls' : 'stop',
        message:
          'call' in turn
            ? {
                role: 'assistant',
                content: null,
                tool_calls: [
                  {
                    id: turn.call.id,
                    type: 'function',
                    function: { name: turn.call.name, arguments: JSON.stringify(turn.call.args) },
                  },
                ],
              }
            : { role: 'assistant', content: turn.text },
      },
    ],
  }),
};

export const openaiResponses: WireFormat = {
  matches: (path) => path.endsWith('/responses'),
  readTools: (body) =>
    list(body['tools']).map(({ name, parameters }: never) => ({ name, schema: parameters })),
  readResults: (body) =>
    list(body['input'])
      .filter(({ type }: Entry) => type === 'function_call_output')
      .map(({ output }: Entry) => (typeof output === 'string' ? output : JSON.stringify(output))),
  write: (turn) => ({
    id: 'resp_1',
    object: 'response',
    created_at: 0,
    model: 'scripted',
    status: 'completed',
    output: [
      'call' in turn
        ? {
            type: 'function_call',
            id: `fc_${turn.call.id}`,
            call_id: turn.call.id,
            name: turn.call.name,
            arguments: JSON.stringify(turn.call.args),
            status: 'completed',
          }
        : {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          },
    ],
  }),
};

export const anthropicMessages: WireFormat = {
  matches: (path) => path.endsWith('/messages'),
  readTools: (body) => list(body['tools']).map(({ name, input_schema: schema }: never) => ({ name, schema })),
  readResults: (body) =>
    list(body['messages'])
      .flatMap(({ content }: Entry) => list(content))
      .filter(({ type }: Entry) => type === 'tool_result')
      .map(({ content }: Entry) =>
        list(content)
          .map(({ text }: never) => String(text))
          .join('\n'),
      ),
  write: (turn) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_reason: 'call' in turn ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      'call' in turn
        ? { type: 'tool_use', id: turn.call.id, name: turn.call.name, input: turn.call.args }
        : { type: 'text', text: turn.text },
    ],
  }),
};

export const gemini: WireFormat = {
  matches: (path) => path.includes(':generateContent'),
  readTools: (body) =>
    list(body['tools'])
      .flatMap(({ functionDeclarations }: never) => list(functionDeclarations))
      .map(({ name, parametersJsonSchema: schema }: never) => ({ name, schema })),
  readResults: (body) =>
    list(body['contents'])
      .flatMap(({ parts = [] }: Entry) => parts)
      .flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
      ),
  write: (turn) => ({
    candidates: [
      {
        index: 0,
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            'call' in turn
              ? { functionCall: { id: turn.call.id, name: turn.call.name, args: turn.call.args } }
              : { text: turn.text },
          ],
        },
      },
    ],
  }),
};

export const WIRE_FORMATS: readonly WireFormat[] = [openaiChat, openaiResponses, anthropicMessages, gemini];
