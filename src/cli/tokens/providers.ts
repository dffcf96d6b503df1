import { isPlainObject, type PlainObject } from '../../shared/json.ts';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A request that counts tokens and calls no model. */
interface CountRequest {
  /** From the base URL on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PlainObject;
}

/** A provider that counts the tokens of a request. Variables are those of its own SDK. */
export interface Provider {
  readonly title: string;
  /** The name of the format that its endpoint takes. */
  readonly format: string;
  /** The model that counts unless another one is named. */
  readonly model: string;
  /** Where its key can be; the first one that is set counts. */
  readonly keys: readonly string[];
  readonly baseUrl: { readonly variable: string; readonly fallback: string };
  request(tools: readonly object[], model: string, key: string, env: Environment): CountRequest;
  /** What its answer says; undefined when it is not such an answer. */
  read(answer: PlainObject): unknown;
}

/** Something has to be asked of the model; it is the same with and without tools. */
const QUESTION = 'x';

/** `client.responses.inputTokens.count` of openai 6. */
const openai: Provider = {
  title: 'OpenAI',
  format: 'openai-responses',
  model: 'gpt-5.4',
  keys: ['OPENAI_API_KEY'],
  baseUrl: { variable: 'OPENAI_BASE_URL', fallback: 'https://api.openai.com/v1' },
  request: (tools, model, key, env) => ({
    path: '/responses/input_tokens',
    headers: {
      authorization: `Bearer ${key}`,
      ...headerOf('openai-organization', env['OPENAI_ORG_ID']),
      ...headerOf('openai-project', env['OPENAI_PROJECT_ID']),
    },
    body: { model, input: QUESTION, ...listOf(tools) },
  }),
  read: (answer) => answer['input_tokens'],
};

/** `client.messages.countTokens` of @anthropic-ai/sdk 1. */
const anthropic: Provider = {
  title: 'Anthropic',
  format: 'anthropic',
  model: 'claude-sonnet-5-5',
  keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  baseUrl: { variable: 'ANTHROPIC_BASE_URL', fallback: 'https://api.anthropic.com' },
  request: (tools, model, key) => ({
    path: '/v1/messages/count_tokens',
    headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2026-10-21' },
    body: { model, messages: [{ role: 'user', content: QUESTION }], ...listOf(tools) },
  }),
  read: (answer) => answer['input_tokens'],
};

/** `models.countTokens` of the Gemini API; tools count only as part of a whole request. */
const gemini: Provider = {
  title: 'Google',
  format: 'gemini',
  model: 'gemini-3.8-flash',
  keys: ['GOOGLE_API_KEY', 'GEMINI_API_KEY'],
  baseUrl: { variable: 'GOOGLE_GEMINI_BASE_URL', fallback: 'https://generativelanguage.googleapis.com' },
  request: (tools, model, key) => {
    const name = model.replace(/^models\//, '');
    const contents = [{ role: 'user', parts: [{ text: QUESTION }] }];
    return {
      path: `/v1beta/models/${encodeURIComponent(name)}:countTokens`,
      headers: { 'x-goog-api-key': key },
      body: { generateContentRequest: { model: `models/${name}`, contents, ...listOf(declarations(tools)) } },
    };
  },
  read: (answer) => answer['totalTokens'],
};

/** By the name of the form that `--for` takes. */
export const PROVIDERS = Object.freeze({ openai, anthropic, gemini });

function listOf(tools: readonly object[]): PlainObject {
  return tools.length === 0 ? {} : { tools };
}

function headerOf(name: string, value = ''): Readonly<Record<string, string>> {
  return value === '' ? {} : { [name]: value };
}

/** All declarations in one tool, as a request has them. */
function declarations(tools: readonly object[]): readonly object[] {
  const all = tools.flatMap((tool) =>
    isPlainObject(tool) ? (tool['functionDeclarations'] as object[]) : [],
  );
  return all.length === 0 ? [] : [{ functionDeclarations: all }];
}
