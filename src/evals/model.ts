import type { PlainObject } from '../shared/json.ts';

/** The APIs of models that an eval speaks. */
export type ModelFormat = 'openai' | 'openai-responses' | 'anthropic' | 'gemini';

/**
 * A model: a function from the body of a request to the body of the answer, both in the form of a provider.
 *
 * @example
 * const shy: EvalModel = {
 *   name: 'shy',
 *   format: 'openai',
 *   respond: async () => ({ choices: [{ message: { role: 'assistant', content: 'I would rather not.' } }] }),
 * };
 */
export interface EvalModel {
  /** Names the model in reports and recordings. */
  readonly name: string;
  /** The API whose form requests and answers have. */
  readonly format: ModelFormat;
  /**
   * Answers a request: the instructions of the server, messages and tools. The name of the model is not in it.
   * @param signal aborts when the answer would come too late
   */
  respond(request: PlainObject, signal?: AbortSignal): Promise<PlainObject>;
}

/** What a provider counted, in tokens. */
export interface ModelUsage {
  /** Tokens of all requests. */
  readonly input: number;
  /** Tokens of all answers. */
  readonly output: number;
}

/** What a model said: the calls that it wants, in the form of its provider; none where it has ended. */
export interface ModelTurn {
  readonly calls: readonly unknown[];
  readonly usage: ModelUsage | undefined;
}

/** How a provider writes a conversation with tools. */
interface Conversation {
  /** @param instructions what the server says of itself, where it does */
  begin(ask: string, tools: readonly unknown[], instructions: string | undefined): PlainObject;
  /** Undefined for what is not an answer of this provider. */
  read(response: PlainObject): ModelTurn | undefined;
  /** The next request: what was said so far, and the results of the calls. */
  next(request: PlainObject, response: PlainObject, results: readonly unknown[]): PlainObject;
}

/** Providers that have no default want a bound on their answers. */
const MAX_OUTPUT_TOKENS = 4096;

type Message = Readonly<Record<string, unknown>>;

const list = (value: unknown): readonly Message[] => (Array.isArray(value) ? (value as Message[]) : []);
const members = (value: unknown): Message =>
  typeof value === 'object' && value !== null ? (value as Message) : {};

function readUsage(usage: unknown, input: string, output: string): ModelUsage | undefined {
  const { [input]: given, [output]: written } = members(usage);
  if (typeof given !== 'number' || typeof written !== 'number') return undefined;
  return { input: given, output: written };
}

function readMessage(response: PlainObject): Message {
  return members(members(list(response['choices'])[0])['message']);
}

/** A turn of a model, where the answer is one of its provider. */
function turnIf(isAnswer: boolean, turn: () => ModelTurn): ModelTurn | undefined {
  return isAnswer ? turn() : undefined;
}

const openai: Conversation = {
  begin: (ask, tools, instructions) => ({
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
      { role: 'user', content: ask },
    ],
    tools,
  }),
  read: (response) =>
    turnIf('role' in readMessage(response), () => ({
      calls: list(readMessage(response)['tool_calls']),
      usage: readUsage(response['usage'], 'prompt_tokens', 'completion_tokens'),
    })),
  next: (request, response, results) => ({
    ...request,
    messages: [...list(request['messages']), readMessage(response), ...results],
  }),
};

const openaiResponses: Conversation = {
  begin: (ask, tools, instructions) => ({
    ...(instructions === undefined ? {} : { instructions }),
    input: [{ role: 'user', content: ask }],
    tools,
  }),
  read: (response) =>
    turnIf(Array.isArray(response['output']), () => ({
      calls: list(response['output']).filter(({ type }) => type === 'function_call'),
      usage: readUsage(response['usage'], 'input_tokens', 'output_tokens'),
    })),
  next: (request, response, results) => ({
    ...request,
    input: [...list(request['input']), ...list(response['output']), ...results],
  }),
};

const anthropic: Conversation = {
  begin: (ask, tools, instructions) => ({
    max_tokens: MAX_OUTPUT_TOKENS,
    ...(instructions === undefined ? {} : { system: instructions }),
    messages: [{ role: 'user', content: ask }],
    tools,
  }),
  read: (response) =>
    turnIf(Array.isArray(response['content']), () => ({
      calls: list(response['content']).filter(({ type }) => type === 'tool_use'),
      usage: readUsage(response['usage'], 'input_tokens', 'output_tokens'),
    })),
  next: (request, response, results) => ({
    ...request,
    messages: [
      ...list(request['messages']),
      { role: 'assistant', content: response['content'] },
      { role: 'user', content: results },
    ],
  }),
};

function readContent(response: PlainObject): Message {
  return members(members(list(response['candidates'])[0])['content']);
}

const gemini: Conversation = {
  begin: (ask, tools, instructions) => ({
    contents: [{ role: 'user', parts: [{ text: ask }] }],
    config: { ...(instructions === undefined ? {} : { systemInstruction: instructions }), tools },
  }),
  // What it refuses to answer has no candidates, and the feedback that says so
  read: (response) =>
    turnIf(Array.isArray(response['candidates']) || 'promptFeedback' in response, () => ({
      calls: list(readContent(response)['parts']).filter((part) => part['functionCall'] !== undefined),
      usage: readUsage(response['usageMetadata'], 'promptTokenCount', 'candidatesTokenCount'),
    })),
  next: (request, response, results) => ({
    ...request,
    contents: [...list(request['contents']), readContent(response), { role: 'user', parts: results }],
  }),
};

export const CONVERSATIONS: Readonly<Record<ModelFormat, Conversation>> = Object.freeze({
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
});
