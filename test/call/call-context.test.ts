import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RequestContext } from '../../src/call/request-context.ts';
import { CallContext } from '../../src/call/call-context.ts';
import { ToolError } from '../../src/errors/tool-error.ts';
import { ToolwrightError } from '../../src/errors/toolwright-error.ts';
import { createAskContracts } from '../../src/runtime/tools/context-factory.ts';
import { LocalOrigin, type LocalCallOptions } from '../../src/runtime/local-calls.ts';
import { rejectionOf } from '../support/thrown.ts';

const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const FORM = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;

function contextOf(options: LocalCallOptions = {}): CallContext {
  const client = { capabilities: everything };
  const exchange: RequestContext = new LocalOrigin('1', { client, ...options });
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
    [
      'very many values',
      { action: 'accept', content: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, 1])) },
      (ctx) => ctx.ask(FORM, 'Sure?'),
    ],
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

describe('what a handler gives its context', () => {
  const answers: Readonly<Record<string, unknown>> = {
    'elicitation/create': { action: 'accept', content: { ok: true } },
    'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'Yes' } },
    'roots/list': { roots: [] },
  };
  type Method = (...given: unknown[]) => unknown;
  const METHODS = ['ask', 'askUrl', 'sample', 'roots', 'progress', 'log', 'startTask'] as const;

  function asking(): {
    readonly sent: unknown[];
    call(name: (typeof METHODS)[number], ...given: unknown[]): unknown;
  } {
    const sent: unknown[] = [];
    const ctx = contextOf({
      onRequest: (method, params) => {
        sent.push(params);
        return answers[method];
      },
    });
    return { sent, call: (name, ...given) => (ctx[name] as Method).call(ctx, ...given) };
  }

  test.each<readonly [what: string, messages: unknown]>([
    ['a text', 'Summarise'],
    ['a message', [{ role: 'user', content: 'Summarise' }]],
    ['a block', [{ role: 'user', content: { type: 'text', text: 'Summarise' } }]],
    ['blocks', [{ role: 'user', content: [{ type: 'text', text: 'Summarise' }] }]],
  ])('may be %s to the model, which is one message of the user', async (_what, messages) => {
    const { call, sent } = asking();
    await call('sample', { messages });
    if (typeof messages === 'string') await call('sample', messages);
    for (const params of sent)
      expect(params).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'Summarise' } }],
      });
  });

  test.each<readonly [method: (typeof METHODS)[number], given: readonly unknown[], fix: string]>([
    ['sample', [], 'let the options be'],
    ['sample', [7], 'let the options be'],
    ['sample', [{}], 'let messages be a text, or a list of messages'],
    ['sample', [{ messages: 7 }], 'let messages be a text, or a list of messages'],
    ['sample', [{ messages: [{ role: 'usr', content: 'a' }] }], 'did you mean "user"?'],
    [
      'sample',
      [{ messages: [{ role: 'user', content: 7 }] }],
      'let messages[0].content be a text, or a block',
    ],
    ['sample', [{ messages: 'a', maxTokens: '9' }], 'let maxTokens be'],
    ['sample', [{ messages: 'a', maxtokens: 9 }], 'did you mean "maxTokens"?'],
    ['sample', [{ messages: 'a', tools: [{ name: 'x' }] }], 'let tools[0] be a tool'],
    ['sample', [{ messages: 'a', toolChoice: 'auto' }], 'let toolChoice be an object with mode'],
    ['ask', ['Sure?'], 'let schema be a DTO class or a schema'],
    ['ask', [FORM], 'let message be a text'],
    ['ask', [FORM, { text: 'Sure?' }], 'let message be a text'],
    ['askUrl', ['https://example.com'], 'let message be a text'],
    ['askUrl', [new URL('https://example.com'), 'Go?'], 'write the whole URL'],
    ['progress', ['half'], 'let progress be a number'],
    ['progress', [1, '2'], 'let total be a number'],
    ['progress', [1, 2, { text: 'a' }], 'let message be a text'],
    ['log', ['a', 'warn'], 'let level be one of "debug"'],
    ['log', [1n], 'let data be something that JSON can carry'],
    ['log', ['a', 'info', 7], 'let logger be a text'],
    ['startTask', [7], 'let message be a text'],
    ['roots', [{ nam: 'a' }], 'did you mean "name"?'],
  ])('is refused with a fix: %s(%j)', async (method, given, fix) => {
    const { call, sent } = asking();
    const failure = await rejectionOf((async () => call(method, ...given))(), ToolwrightError);
    expect(failure.fix).toContain(fix);
    expect(sent).toEqual([]);
  });

  test('is accepted or refused by an error of the catalogue, whatever it is', async () => {
    const value = fc.anything({ withBigInt: true, withDate: true, withMap: true, maxDepth: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...METHODS),
        fc.array(value, { maxLength: 3 }),
        async (method, given) => {
          const thrown = await Promise.resolve()
            .then(() => asking().call(method, ...given))
            .then(
              () => undefined,
              (error: unknown) => error,
            );
          expect(thrown === undefined || ToolwrightError.is(thrown) || ToolError.is(thrown)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});
