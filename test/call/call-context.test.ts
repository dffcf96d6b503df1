import { describe, expect, test } from '@jest/globals';
import type { RequestContext } from '../../src/call/request-context.ts';
import { CallContext } from '../../src/call/call-context.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { createAskContracts } from '../../src/runtime/context-factory.ts';
import { LocalRequest, type LocalCallOptions } from '../../src/runtime/local-calls.ts';
import { rejectionOf } from '../support/thrown.ts';

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const FORM = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;

function contextOf(options: LocalCallOptions = {}): CallContext {
  const client = { capabilities: everything };
  const exchange: RequestContext = new LocalRequest('1', { client, ...options });
  return new CallContext(exchange, createAskContracts());
}

const failureOf = (work: Promise<unknown>): Promise<ToolError> => rejectionOf(work, ToolError);

describe('progress', () => {
  test('drops what does not increase', async () => {
    const sent: unknown[] = [];
    const ctx = contextOf({
      meta: { progressToken: 0 },
      onNotification: (_method, { progress }) => sent.push(progress),
    });
    for (const value of [0, 1, 1, 0.5, Number.NaN, Infinity, 1.5, 3]) await ctx.progress(value);
    expect(sent).toEqual([0, 1, 1.5, 3]);
  });

  test('is not sent to a client that gave no token', async () => {
    const sent: unknown[] = [];
    const ctx = contextOf({ onNotification: (method) => sent.push(method) });
    await ctx.progress(1);
    expect(sent).toEqual([]);
  });
});

describe('a capability that the client lacks', () => {
  const calls: readonly [string, object, (ctx: CallContext) => Promise<unknown>][] = [
    ['elicitation', {}, (ctx) => ctx.ask(FORM, 'Sure?')],
    ['elicitation', { elicitation: { url: {} } }, (ctx) => ctx.ask(FORM, 'Sure?')],
    ['elicitation.url', { elicitation: {} }, (ctx) => ctx.askUrl('https://example.com', 'Go?')],
    ['sampling', {}, (ctx) => ctx.sample('Hello')],
    ['sampling.tools', { sampling: {} }, (ctx) => ctx.sample({ messages: [], tools: [] })],
    ['roots', {}, (ctx) => ctx.roots()],
  ];

  test.each(calls)('is named: %s with %j', async (capability, capabilities, call) => {
    const requests: string[] = [];
    const onRequest = (method: string): void => void requests.push(method);
    const failure = await failureOf(
      call(contextOf({ client: { capabilities: { ...capabilities } }, onRequest })),
    );
    expect(failure.code).toBe('CLIENT_CAPABILITY_MISSING');
    expect(failure.message).toContain(`"${capability}"`);
    expect(failure.facts.details).toMatchObject({ capability });
    expect(requests).toEqual([]);
  });

  test('is not missing when an empty elicitation capability declares forms', async () => {
    const ctx = contextOf({
      client: { capabilities: { elicitation: {} } },
      onRequest: () => ({ action: 'decline' }),
    });
    expect(await ctx.ask(FORM, 'Sure?')).toEqual({ action: 'decline' });
  });
});

test('a call without anybody to ask fails at once', async () => {
  const failure = await failureOf(contextOf().ask(FORM, 'Sure?'));
  expect(failure.code).toBe('CLIENT_UNREACHABLE');
});

describe('an abort', () => {
  test('ends a pending question at once', async () => {
    const controller = new AbortController();
    const ctx = contextOf({ signal: controller.signal, onRequest: () => new Promise(() => undefined) });
    const pending = [ctx.ask(FORM, 'Sure?'), ctx.sample('Hello'), ctx.roots()];
    const failures = Promise.all(pending.map(failureOf));
    controller.abort('enough');
    for (const failure of await failures) {
      expect(failure.code).toBe('CANCELLED');
      expect(failure.cause).toBe('enough');
    }
  });

  test('before the question keeps it from being asked', async () => {
    const requests: string[] = [];
    const ctx = contextOf({ signal: AbortSignal.abort(), onRequest: (method) => requests.push(method) });
    expect((await failureOf(ctx.roots())).code).toBe('CANCELLED');
    expect(requests).toEqual([]);
  });
});

describe('an answer of the wrong form', () => {
  test.each<[string, unknown, (ctx: CallContext) => Promise<unknown>]>([
    ['nothing', undefined, (ctx) => ctx.ask(FORM, 'Sure?')],
    ['an unknown action', { action: 'maybe' }, (ctx) => ctx.ask(FORM, 'Sure?')],
    ['a list as content', { action: 'accept', content: [] }, (ctx) => ctx.ask(FORM, 'Sure?')],
    ['an unknown action', { action: 'maybe' }, (ctx) => ctx.askUrl('https://example.com', 'Go?')],
    ['a sample without model', { content: { type: 'text', text: '' } }, (ctx) => ctx.sample('Hello')],
    ['a sample without content', { model: 'm' }, (ctx) => ctx.sample('Hello')],
    ['roots without URI', { roots: [{}] }, (ctx) => ctx.roots()],
  ])('is refused: %s', async (_name, answer, call) => {
    expect((await failureOf(call(contextOf({ onRequest: () => answer })))).code).toBe('INVALID_ANSWER');
  });
});

describe('a URL', () => {
  test('is sent with an id of its own', async () => {
    const asked: unknown[] = [];
    const ctx = contextOf({
      onRequest: (_method, params) => {
        asked.push(params);
        return { action: 'accept' };
      },
    });
    expect(await ctx.askUrl('https://example.com/pay', 'Pay?')).toEqual({ action: 'accept' });
    expect(asked).toEqual([
      {
        mode: 'url',
        message: 'Pay?',
        url: 'https://example.com/pay',
        elicitationId: expect.stringMatching(/^[-0-9a-f]{36}$/),
      },
    ]);
  });

  test('has to be whole', async () => {
    await expect(contextOf().askUrl('/pay', 'Pay?')).rejects.toThrow('TW_ASK_URL');
  });
});

describe('a sample', () => {
  test('is asked for as the protocol has it', async () => {
    const asked: unknown[] = [];
    const ctx = contextOf({
      onRequest: (_method, params) => {
        asked.push(params);
        const text = [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ];
        return { role: 'assistant', content: text, model: 'test', stopReason: 'endTurn' };
      },
    });
    expect(await ctx.sample('Hello')).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      text: 'one\ntwo',
      model: 'test',
      stopReason: 'endTurn',
    });
    await ctx.sample({
      messages: [{ role: 'assistant', content: [{ type: 'text', text: 'before' }] }],
      systemPrompt: 'Be short',
      maxTokens: 7,
      tools: [{ name: 'find', inputSchema: { type: 'object' } }],
    });
    expect(asked).toEqual([
      { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }], maxTokens: 1000 },
      {
        messages: [{ role: 'assistant', content: { type: 'text', text: 'before' } }],
        systemPrompt: 'Be short',
        maxTokens: 7,
        tools: [{ name: 'find', inputSchema: { type: 'object' } }],
      },
    ]);
  });
});
