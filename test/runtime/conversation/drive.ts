import type { Retry } from '../../../src/call/call-exchange.ts';
import type { Call } from '../../../src/runtime/call.ts';
import type { RunHandler } from '../../../src/runtime/conversation/attempt.ts';
import type { ConductedCall } from '../../../src/runtime/conversation/conducted-call.ts';
import { resultOf } from '../../../src/runtime/outcome.ts';
import { callOf } from '../../fixtures/call-of.ts';
import { createContextFactory } from '../../../src/runtime/create-tool-service.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import type { InputRequest, InputRequiredResult } from '../../../src/call/results.ts';
import {
  createConversations,
  type ConversationOptions,
  type Conversations,
} from '../../../src/runtime/conversation/conversations.ts';
import { LocalExchange, type LocalCallOptions } from '../../../src/application/local-calls.ts';
import { MemoryLogger } from '../../fixtures/fake-surface.ts';

/** A client that can be asked for everything. */
export const ABLE = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
};

export const CALL = { method: 'tools/call', target: 'work', args: { a: 1, b: [2] } } as const;

export type Handler = (ctx: ToolContext) => Promise<unknown>;
export type Answering = (request: InputRequest, name: string) => unknown;

const contextOf = createContextFactory();

/** Conversations with a logger that remembers. */
export function conversationsFor(options: Partial<ConversationOptions> = {}) {
  const logger = new MemoryLogger();
  return { logger, conversations: createConversations({ server: 'test', logger, ...options }) };
}

/** One request of a client of 2026-07-28. */
export function request(
  conversations: Conversations,
  handler: Handler,
  retry: Partial<Retry> = {},
  options: LocalCallOptions = {},
  target: ConductedCall = CALL,
): Promise<object> {
  const call = callOf({ client: ABLE, ...options }, retry);
  return conduct(conversations, call, target, async (run) =>
    resultOf({ content: [], value: await handler(contextOf(undefined, run)) }),
  );
}

/** What a client gets of a call. */
export async function conduct(
  conversations: Conversations,
  call: Call,
  target: ConductedCall,
  run: RunHandler,
): Promise<object> {
  const outcome = await conversations.conduct(call, target, run);
  if (outcome.kind === 'failure') throw outcome.error;
  return outcome.value;
}

export function isQuestion(
  result: object,
): result is InputRequiredResult & { readonly requestState: string } {
  return 'resultType' in result && result.resultType === 'input_required';
}

/** The questions of a result that has to be one. */
export function questionsOf(result: object) {
  if (!isQuestion(result)) throw new Error(`no question: ${JSON.stringify(result)}`);
  return {
    state: result.requestState,
    requests: result.inputRequests ?? {},
    names: Object.keys(result.inputRequests ?? {}),
  };
}

/** Answers until there is a result; gives it with the number of requests that it took. */
export async function converse(
  conversations: Conversations,
  handler: Handler,
  answer: Answering,
  options: LocalCallOptions = {},
) {
  let retry: Partial<Retry> = {};
  for (let requests = 1; requests < 200; requests += 1) {
    const result = await request(conversations, handler, retry, options);
    if (!isQuestion(result)) return { result: result as { readonly value: unknown }, requests };
    const { state, requests: asked } = questionsOf(result);
    const answers = Object.entries(asked).map(([name, question]) => [name, answer(question, name)] as const);
    const given = answers.filter(([, value]) => value !== undefined);
    retry = { requestState: state, inputResponses: Object.fromEntries(given) };
  }
  throw new Error('it never ends');
}

/** The same handler for a client that can be asked while the call runs. */
export async function ask2025(handler: Handler, answer: Answering): Promise<unknown> {
  const onRequest = (method: string, params: Readonly<Record<string, unknown>>): unknown =>
    answer({ method, params }, '');
  return handler(contextOf(undefined, new LocalExchange('1', { client: ABLE, onRequest })));
}

export const FORM = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 } },
  required: ['name'],
} as const;
/** A form that is filled in. */
export const filled = (name: string) => ({ action: 'accept', content: { name } });
export const SAID = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Paris' } };
export const ROOTS = { roots: [{ uri: 'file:///work' }] };

/** Answers everything; a form with the words that it was asked with. */
export const willing: Answering = ({ method, params }) => {
  if (method === 'sampling/createMessage') return SAID;
  return method === 'roots/list' ? ROOTS : filled(String(params['message']));
};

/** What the user writes into the form. */
export const nameFrom = async (ctx: ToolContext, message: string, name?: string): Promise<string> => {
  const answer = await ctx.ask<{ readonly name: string }>(FORM, message, name === undefined ? {} : { name });
  return answer.action === 'accept' ? answer.content.name : answer.action;
};
