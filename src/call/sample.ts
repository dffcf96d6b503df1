import { refuseOptions } from '../errors/option-errors.ts';
import type { JsonSchema } from '../shared/json-schema.ts';
import { isObject, type PlainObject } from '../shared/json.ts';
import {
  either,
  listOf,
  objectOf,
  oneOf,
  required,
  rule,
  text,
  texts,
  wholeNumber,
  type OptionRules,
} from '../shared/option-rules.ts';
import type { RequestContext, NamedQuestion } from './request-context.ts';
import { invalidAnswer, named, requestClient, requireCapability } from './request-client.ts';
import type { SampleBlock } from './results.ts';

/** One message of a conversation with the client's model; a string is a block of text. */
export interface SampleMessage {
  /** Who says it. */
  readonly role: 'user' | 'assistant';
  /** What is said: a text, a block, or several blocks. */
  readonly content: string | SampleBlock | readonly SampleBlock[];
}

/** What a model should be like; the client decides (spec: client/sampling, Model Preferences). */
export interface ModelPreferences {
  /** Parts of model names, the preferred one first. */
  readonly hints?: readonly { readonly name?: string }[];
  /** From 0 to 1, like the other priorities. */
  readonly costPriority?: number;
  /** How much a fast answer matters, from 0 to 1. */
  readonly speedPriority?: number;
  /** How much an able model matters, from 0 to 1. */
  readonly intelligencePriority?: number;
}

/** A tool that the client's model may use; its use comes back as a block of the type `tool_use`. */
export interface SampleTool {
  /** The name of the tool. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonSchema;
}

/** What the client's model is asked (spec: client/sampling, Creating Messages). */
export interface SampleRequest {
  /** The conversation so far, in order; a text is one message of the user. */
  readonly messages: string | readonly SampleMessage[];
  /** Instructions for the model. The client may change them or leave them out. */
  readonly systemPrompt?: string;
  /** Default 1000. */
  readonly maxTokens?: number;
  /** How much answers may vary; what the numbers mean depends on the model. */
  readonly temperature?: number;
  /** Which kind of model is wanted. Default: the client's choice. */
  readonly modelPreferences?: ModelPreferences;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[];
  /** Needs a client that declares `sampling.tools`; so does `toolChoice`. */
  readonly tools?: readonly SampleTool[];
  /** Whether the model may, must or must not use a tool. Default `auto`. */
  readonly toolChoice?: { readonly mode: 'auto' | 'required' | 'none' };
}

const contentBlock = rule("a block, such as { type: 'text', text: '…' }", isBlock);

const MESSAGE_RULES: OptionRules<SampleMessage> = {
  role: required(oneOf('user', 'assistant')),
  content: required(either(text, contentBlock, listOf(contentBlock, 'a list of blocks'))),
};

const priority = rule(
  'a number from 0 to 1',
  (value) => typeof value === 'number' && value >= 0 && value <= 1,
);
const hint = rule("{ name: 'a part of the name of a model' }", (value) =>
  ['string', 'undefined'].includes(typeof nameIn(value)),
);
const tool = rule(
  "a tool: { name: '…', inputSchema: { type: 'object' } }",
  (value) => typeof nameIn(value) === 'string' && isObject((value as Partial<SampleTool>).inputSchema),
);

export const SAMPLE_RULES: OptionRules<SampleRequest> = {
  messages: required(
    either(text, listOf(objectOf(MESSAGE_RULES), "a list of messages: [{ role: 'user', content: '…' }]")),
  ),
  systemPrompt: text,
  maxTokens: wholeNumber(1),
  temperature: rule('a number', (value) => typeof value === 'number' && Number.isFinite(value)),
  modelPreferences: objectOf<ModelPreferences>({
    hints: listOf(hint),
    costPriority: priority,
    speedPriority: priority,
    intelligencePriority: priority,
  }),
  stopSequences: texts,
  tools: listOf(tool),
  toolChoice: objectOf<{ readonly mode: string }>({ mode: required(oneOf('auto', 'required', 'none')) }),
};

function nameIn(value: unknown): unknown {
  return isObject(value) ? (value as { readonly name?: unknown }).name : null;
}

/** What the client's model said. */
export interface SampleResult {
  /** Who says it: `assistant`, unless the client says otherwise. */
  readonly role: 'user' | 'assistant';
  /** What the model said, in blocks. */
  readonly content: readonly SampleBlock[];
  /** The blocks of text, joined by line breaks. */
  readonly text: string;
  /** The name of the model that the client used. */
  readonly model: string;
  /** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or a word of the model's provider. */
  readonly stopReason?: string;
}

const METHOD = 'sampling/createMessage';
const MAX_TOKENS = 1000;

export async function sampleClient(
  request: RequestContext,
  question: SampleRequest | string,
  options: NamedQuestion = {},
): Promise<SampleResult> {
  const asked = typeof question === 'string' ? { messages: question } : question;
  refuseOptions('TW_CONTEXT_VALUE', 'sample()', asked, SAMPLE_RULES);
  const usesTools = asked.tools !== undefined || asked.toolChoice !== undefined;
  const client = request.client();
  requireCapability(client, 'sampling');
  if (usesTools) requireCapability(client, 'sampling.tools');
  const messages = messagesOf(asked).map(({ role, content }) => ({ role, content: wireContent(content) }));
  const params = { ...asked, messages, maxTokens: asked.maxTokens ?? MAX_TOKENS };
  const accepts = (answer: PlainObject): boolean => readResult(answer) !== undefined;
  const result = readResult(await requestClient(request, METHOD, params, { ...named(options), accepts }));
  if (result === undefined) throw invalidAnswer(METHOD);
  return result;
}

function messagesOf({ messages }: SampleRequest): readonly SampleMessage[] {
  return typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages;
}

/** Lists of blocks came with 2025-11-25; a single block is sent as every client knows it. */
function wireContent(content: SampleMessage['content']): SampleBlock | readonly SampleBlock[] {
  if (typeof content === 'string') return { type: 'text', text: content };
  const blocks = [content].flat() as readonly SampleBlock[];
  const [only] = blocks;
  return blocks.length === 1 && only !== undefined ? only : blocks;
}

function readResult({ role, content, model, stopReason }: PlainObject): SampleResult | undefined {
  const blocks: readonly unknown[] = [content].flat();
  if (!blocks.every(isBlock) || typeof model !== 'string') return undefined;
  return {
    role: role === 'user' ? 'user' : 'assistant',
    content: blocks,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
  };
}

function isBlock(value: unknown): value is SampleBlock {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return value.type === 'text'
    ? 'text' in value && typeof value.text === 'string'
    : typeof value.type === 'string';
}
