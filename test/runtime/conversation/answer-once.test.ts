import { describe, expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import type { OnceStore } from '../../../src/runtime/conversation/once-store.ts';
import { latch } from '../../fixtures/fake-surface.ts';
import { CALL, conversationsFor, questionsOf, request, type Handler } from './drive.ts';
import { asked, FORM, greeter, named } from './greeter.ts';

describe('the same answers to the same state', () => {
  test('get the same result, on any instance', async () => {
    const { handler, greeted } = greeter();
    const { first, second, retry } = await asked(handler);
    const results = [
      await request(first.conversations, handler, retry('Ada')),
      await request(second.conversations, handler, retry('Ada')),
      await request(first.conversations, handler, retry('Ada')),
    ];
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]).toMatchObject({ value: 'Hello, Ada, number 1' });
    expect(greeted).toEqual(['Ada']);
  });

  test('wait for the result while it is made', async () => {
    const { promise, open } = latch();
    const begun = latch();
    const { handler, greeted } = greeter(() => {
      begun.open();
      return promise;
    });
    const { first, second, retry } = await asked(handler);
    const one = request(first.conversations, handler, retry('Ada'));
    await begun.promise;
    const two = request(second.conversations, handler, retry('Ada'));
    open();
    expect(await two).toEqual(await one);
    expect(greeted).toEqual(['Ada']);
  });

  test('get the next questions again', async () => {
    const { first, second, retry } = await asked(async (ctx) => [
      await ctx.ask(FORM, 'Who?'),
      await ctx.roots(),
    ]);
    const handler: Handler = async (ctx) => [await ctx.ask(FORM, 'Who?'), await ctx.roots()];
    const one = questionsOf(await request(first.conversations, handler, retry('Ada')));
    const two = questionsOf(await request(second.conversations, handler, retry('Ada')));
    expect(two.state).toBe(one.state);
  });

  test('get the same error', async () => {
    let runs = 0;
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      runs += 1;
      throw new ProtocolError(-32603, `broken ${String(runs)}`, { why: 'because' });
    };
    const { first, second, retry } = await asked(handler);
    const refused = { code: -32603, message: 'broken 1', data: { why: 'because' } };
    await expect(request(first.conversations, handler, retry('Ada'))).rejects.toMatchObject(refused);
    await expect(request(second.conversations, handler, retry('Ada'))).rejects.toMatchObject(refused);
    expect(runs).toBe(1);
  });

  test('do without a result that is too large to keep', async () => {
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      return 'x'.repeat(65 * 1024);
    };
    const { first, retry } = await asked(handler);
    expect(await request(first.conversations, handler, retry('Ada'))).toHaveProperty('value');
    const again = request(first.conversations, handler, retry('Ada'));
    await expect(again).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('the result is not kept'),
    });
  });

  test('are the same in another order, and with what nobody asked for', async () => {
    const handler: Handler = (ctx) =>
      Promise.all([ctx.ask(FORM, 'Who?', { name: 'a' }), ctx.roots({ name: 'b' })]);
    const { conversations } = conversationsFor();
    const { state } = questionsOf(await request(conversations, handler));
    const [a, b] = [named('Ada'), { roots: [] }];
    const one = await request(conversations, handler, { requestState: state, inputResponses: { a, b } });
    const two = await request(conversations, handler, {
      requestState: state,
      inputResponses: { c: {}, b, a },
    });
    expect(two).toEqual(one);
  });
});

test('other answers to the same state are refused', async () => {
  const { handler, greeted } = greeter();
  const { first, second, retry } = await asked(handler);
  await request(first.conversations, handler, retry('Ada'));
  for (const { conversations } of [first, second]) {
    for (const other of [retry('Eve'), { ...retry('Ada'), inputResponses: {} }]) {
      const refused = {
        code: -32602,
        message: expect.stringContaining('were answered before, in another way'),
      };
      await expect(request(conversations, handler, other)).rejects.toMatchObject(refused);
    }
  }
  expect(greeted).toEqual(['Ada']);
});

test('a failure of the server lets the client answer again', async () => {
  let runs = 0;
  const handler: Handler = async (ctx) => {
    await ctx.ask(FORM, 'Who?');
    runs += 1;
    if (runs === 1) throw new RangeError('the framework broke');
    return 'well';
  };
  const { first, retry } = await asked(handler);
  await expect(request(first.conversations, handler, retry('Ada'))).rejects.toThrow('the framework broke');
  expect(await request(first.conversations, handler, retry('Ada'))).toMatchObject({ value: 'well' });
});

test('an answer that waits for one that never ends gives up with the state', async () => {
  let now = 0;
  const store: OnceStore = {
    add: (_key, value) => {
      now += 200_000;
      return Promise.resolve(JSON.stringify({ ...JSON.parse(value), run: 'elsewhere' }));
    },
    replace: () => Promise.resolve(false),
  };
  const { conversations } = conversationsFor({ onceStore: store, now: () => now });
  const { handler } = greeter();
  const { state } = questionsOf(await request(conversations, handler));
  const waiting = request(conversations, handler, { requestState: state });
  await expect(waiting).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('time to answer is over'),
  });
});

describe('a store that fails', () => {
  test('before the answer leaves everything as it was', async () => {
    const store: OnceStore = {
      add: () => Promise.reject(new Error('no connection')),
      replace: () => Promise.resolve(true),
    };
    const { conversations } = conversationsFor({ onceStore: store });
    const { handler, greeted } = greeter();
    const { state } = questionsOf(await request(conversations, handler));
    await expect(request(conversations, handler, { requestState: state })).rejects.toThrow('no connection');
    expect(greeted).toEqual([]);
  });

  test('after the answer does not take the result from the client', async () => {
    const store: OnceStore = {
      add: () => Promise.resolve(undefined),
      replace: () => Promise.reject(new Error('no connection')),
    };
    const { conversations, logger } = conversationsFor({ onceStore: store });
    const { handler } = greeter();
    const { state, names } = questionsOf(await request(conversations, handler));
    const retry = { requestState: state, inputResponses: { [String(names[0])]: named('Ada') } };
    expect(await request(conversations, handler, retry)).toMatchObject({ value: 'Hello, Ada, number 1' });
    expect(logger.records.at(-1)).toMatchObject({ level: 'error', event: 'question.store-failed' });
  });
});

test('a state of a first call is no claim: two calls are asked apart', async () => {
  const { conversations } = conversationsFor();
  const { handler } = greeter();
  const [one, two] = [await request(conversations, handler), await request(conversations, handler)].map(
    questionsOf,
  );
  for (const [asked, name] of [
    [one, 'Ada'],
    [two, 'Bob'],
  ] as const) {
    const retry = { requestState: asked?.state, inputResponses: { 'elicitation-1': named(name) } };
    expect(await request(conversations, handler, retry, {}, CALL)).toMatchObject({
      value: expect.stringContaining(name),
    });
  }
});
