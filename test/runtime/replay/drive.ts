import { OpenWork } from '../../../src/runtime/open-work.ts';
import { openAuthorization } from '../../../src/runtime/requirements/authorization.ts';
import type { Retry } from '../../../src/call/request-context.ts';
import type { Call, Handle } from '../../../src/kernel/call/call.ts';
import { compileRoute } from '../../../src/runtime/routes/route.ts';
import type { Origin } from '../../../src/kernel/call/service-request.ts';
import { Lists } from '../../../src/runtime/lists/lists.ts';
import { NO_STATES } from '../../../src/kernel/call/states.ts';
import { STAGES } from '../../../src/runtime/stages.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { failureOf, resultOf, type Outcome } from '../../../src/kernel/call/outcome.ts';
import { callOf } from '../../support/call-of.ts';
import { createContextFactory } from '../../../src/runtime/tools/context-factory.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import type { InputRequest } from '../../../src/call/results.ts';
import { StoreClock } from '../../../src/runtime/store/store-clock.ts';
import { createReplayEngine, type ReplayEngineOptions } from '../../../src/runtime/replay/replay-engine.ts';
import type { ReplayEngine } from '../../../src/runtime/routes/route.ts';
import { LocalOrigin, type LocalCallOptions } from '../../../src/runtime/local-calls.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

/** A client that can be asked for everything. */
export const ABLE = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
};

export const CALL: Called = callTo('work', { a: 1, b: [2] });

/** A call of a tool. */
export function callTo(name: string, args: unknown): Called {
  return { method: 'tools/call', params: { name, arguments: args } };
}

export type Handler = (ctx: ToolContext) => Promise<unknown>;
export type Answering = (request: InputRequest, name: string) => unknown;

const contextOf = createContextFactory();

/** A replay engine with a logger that remembers. */
export function replayEngineFor(options: Partial<ReplayEngineOptions> = {}) {
  const logger = new MemoryLogger();
  return { logger, replayEngine: createReplayEngine({ server: 'test', logger, ...options }) };
}

/** What is called: a tool or prompt by its name, or a resource. */
export type Called = Pick<Origin, 'method' | 'params'>;

/** One request of a client of 2026-07-28. */
export function request(
  replayEngine: ReplayEngine,
  handler: Handler,
  retry: Partial<Retry> = {},
  options: LocalCallOptions = {},
  called: Called = CALL,
): Promise<object> {
  const call = callOf({ client: ABLE, ...options }, retry, called);
  return replayCall(replayEngine, call, async (run) =>
    resultOf({ content: [], value: await handler(contextOf(undefined, run)) }),
  );
}

/** What a client gets of a call. */
export async function replayCall(replayEngine: ReplayEngine, call: Call, run: Handle): Promise<object> {
  const outcome = await outcomeOf(replayEngine, call, run);
  if (outcome.kind === 'failure') throw outcome.error;
  return outcome.value;
}

/** Passes a call through the stages of a conversation, as a service does. It throws what is not an answer to clients. */
export async function outcomeOf(replayEngine: ReplayEngine, call: Call, run: Handle): Promise<Outcome> {
  const logger = new MemoryLogger();
  const shown = { pagination: undefined, cache: undefined, auth: undefined, open: new OpenWork() };
  const shared = {
    ...shown,
    lists: new Lists(shown, logger),
    features: [],
    states: NO_STATES,
    clock: new StoreClock(undefined),
    authorization: openAuthorization(logger),
    logger,
    toolsFor: () => [],
  };
  const target = { kind: 'prompt', method: call.origin.method, name: 'work', handler: undefined } as const;
  const { whole } = compileRoute(target, { ...shared, stages: STAGES, replayEngine }, run);
  let fault: { readonly thrown: unknown } | undefined;
  const outcome = await call.replyWith((async () => whole(call))(), (thrown) => {
    if (ProtocolError.is(thrown)) return failureOf(thrown);
    fault = { thrown };
    return failureOf(new ProtocolError(-32603, 'a fault'));
  });
  if (fault !== undefined) throw fault.thrown;
  return outcome;
}

/** A result that asks for more before there is another one (spec 2026-07-28: basic/patterns/mrtr). */
interface Question {
  readonly resultType: 'input_required';
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
  readonly requestState: string;
}

export function isQuestion(result: object): result is Question {
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
  replayEngine: ReplayEngine,
  handler: Handler,
  answer: Answering,
  options: LocalCallOptions = {},
) {
  let retry: Partial<Retry> = {};
  for (let requests = 1; requests < 200; requests += 1) {
    const result = await request(replayEngine, handler, retry, options);
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
  return handler(contextOf(undefined, new LocalOrigin('1', { client: ABLE, onRequest })));
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
