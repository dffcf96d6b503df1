import { describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { CallTask } from '../../../src/kernel/call/service-request.ts';
import { failureResult } from '../../../src/call/result-helpers.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { claimOf, textOf } from '../../../src/runtime/replay/answer-once.ts';
import { InMemoryStore } from '../../../src/runtime/store/memory-store.ts';
import type { Store } from '../../../src/runtime/store/store.ts';
import { createKeyring } from '../../../src/shared/sealed-text.ts';
import { createContextFactory } from '../../../src/runtime/tools/context-factory.ts';
import { failureOf, resultOf } from '../../../src/kernel/call/outcome.ts';
import { callOf } from '../../support/call-of.ts';
import { latch } from '../../support/fake-application.ts';
import {
  ABLE,
  CALL,
  replayCall,
  replayEngineFor,
  outcomeOf,
  questionsOf,
  request,
  type Handler,
} from './drive.ts';
import { asked, FORM, greeter, named } from './greeter.ts';

describe('the same answers to the same state', () => {
  test('get the same result, on any instance', async () => {
    const { handler, greeted } = greeter();
    const { first, second, retry } = await asked(handler);
    const results = [
      await request(first.replayEngine, handler, retry('Ada')),
      await request(second.replayEngine, handler, retry('Ada')),
      await request(first.replayEngine, handler, retry('Ada')),
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
    const one = request(first.replayEngine, handler, retry('Ada'));
    await begun.promise;
    const two = request(second.replayEngine, handler, retry('Ada'));
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
    const one = questionsOf(await request(first.replayEngine, handler, retry('Ada')));
    const two = questionsOf(await request(second.replayEngine, handler, retry('Ada')));
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
    await expect(request(first.replayEngine, handler, retry('Ada'))).rejects.toMatchObject(refused);
    await expect(request(second.replayEngine, handler, retry('Ada'))).rejects.toMatchObject(refused);
    expect(runs).toBe(1);
  });

  test('do without a result that is too large to keep', async () => {
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      return 'x'.repeat(65 * 1024);
    };
    const { first, retry } = await asked(handler);
    expect(await request(first.replayEngine, handler, retry('Ada'))).toHaveProperty('value');
    const again = request(first.replayEngine, handler, retry('Ada'));
    await expect(again).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('The call was done; do not repeat it'),
    });
  });

  test('get the next questions again, however much the call has to remember', async () => {
    let runs = 0;
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      await ctx.step('read', () => randomBytes(150_000).toString('base64'));
      runs += 1;
      return ctx.roots();
    };
    const { first, second, retry } = await asked(handler);
    const one = questionsOf(await request(first.replayEngine, handler, retry('Ada')));
    expect(one.state.length).toBeGreaterThan(200_000);
    expect(questionsOf(await request(second.replayEngine, handler, retry('Ada'))).state).toBe(one.state);
    expect(runs).toBe(1);
  });

  test('get the JSON-RPC error that a tool is answered with', async () => {
    const { handler } = greeter();
    const { first, second, retry } = await asked(handler);
    const outcomeAt = ({ replayEngine }: typeof first) =>
      outcomeOf(replayEngine, callOf({ client: ABLE }, retry('Ada'), CALL), async (run) => {
        await handler(createContextFactory()(undefined, run));
        const result = failureResult({ code: 'GONE', message: 'gone' });
        return failureOf(new ProtocolError(-32002, 'gone', { uri: 'a:b' }), result);
      });
    const error = { code: -32002, message: 'gone', data: { uri: 'a:b' } };
    expect(await outcomeAt(first)).toMatchObject({ kind: 'failure', error, result: { isError: true } });
    expect(await outcomeAt(second)).toMatchObject({ kind: 'failure', error });
  });

  test('do without an outcome that JSON does not carry', async () => {
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      throw new ProtocolError(-32603, 'odd', { size: 1n });
    };
    const { first, retry } = await asked(handler);
    await expect(request(first.replayEngine, handler, retry('Ada'))).rejects.toThrow('odd');
    await expect(request(first.replayEngine, handler, retry('Ada'))).rejects.toThrow('The call was done');
  });

  test('are the same in another order, and with answers that were not asked for', async () => {
    const handler: Handler = (ctx) =>
      Promise.all([ctx.ask(FORM, 'Who?', { name: 'a' }), ctx.roots({ name: 'b' })]);
    const { replayEngine } = replayEngineFor();
    const { state } = questionsOf(await request(replayEngine, handler));
    const [a, b] = [named('Ada'), { roots: [] }];
    const one = await request(replayEngine, handler, { requestState: state, inputResponses: { a, b } });
    const two = await request(replayEngine, handler, {
      requestState: state,
      inputResponses: { c: {}, b, a },
    });
    expect(two).toEqual(one);
  });
});

test('other answers to the same state are refused', async () => {
  const { handler, greeted } = greeter();
  const { first, second, retry } = await asked(handler);
  await request(first.replayEngine, handler, retry('Ada'));
  for (const { replayEngine } of [first, second]) {
    for (const other of [retry('Eve'), { ...retry('Ada'), inputResponses: {} }]) {
      const refused = {
        code: -32602,
        message: expect.stringContaining('were answered before, in another way'),
      };
      await expect(request(replayEngine, handler, other)).rejects.toMatchObject(refused);
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
  await expect(request(first.replayEngine, handler, retry('Ada'))).rejects.toThrow('the framework broke');
  expect(await request(first.replayEngine, handler, retry('Ada'))).toMatchObject({ value: 'well' });
});

test('an answer that waits for one that never ends gives up with the state', async () => {
  let now = 0;
  const store: Store = {
    get: () => Promise.resolve(undefined),
    put: (_collection, _key, { value }) => {
      now += 200_000;
      return Promise.resolve({ refused: { value, version: 1, holdLeft: 0 } });
    },
    delete: () => Promise.resolve(false),
  };
  const { replayEngine } = replayEngineFor({ store, now: () => now });
  const { handler } = greeter();
  const { state } = questionsOf(await request(replayEngine, handler));
  const waiting = request(replayEngine, handler, { requestState: state });
  await expect(waiting).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('time to answer is over'),
  });
});

/** Carries nothing. */
const NO_TASK: CallTask = {
  start: () => Promise.resolve(),
  report: () => Promise.resolve(),
  notify: () => Promise.resolve(),
  log: () => Promise.resolve(),
  request: () => Promise.reject(new Error('nobody answers')),
};

test('an answer that is given before the handler ends is what the same answers get', async () => {
  const { handler } = greeter();
  const { first, second, retry } = await asked(handler);
  const begun = latch();
  const { promise, open } = latch();
  const task = { resultType: 'task', taskId: 'a' };
  const answerAt = ({ replayEngine }: typeof first) => {
    const call = callOf({ client: ABLE }, retry('Ada'), CALL);
    void begun.promise.then(() => call.detach(NO_TASK, task, Promise.resolve()));
    return replayCall(replayEngine, call, async (run) => {
      await handler(createContextFactory()(undefined, run));
      begun.open();
      await promise;
      return resultOf({ content: [] });
    });
  };
  const running = answerAt(first);
  await begun.promise;
  expect(await answerAt(second)).toEqual(task);
  open();
  await running;
  expect(await answerAt(second)).toEqual(task);
});

test('a state of a first call is not a claim: two calls are asked apart', async () => {
  const { replayEngine } = replayEngineFor();
  const { handler } = greeter();
  const [one, two] = [await request(replayEngine, handler), await request(replayEngine, handler)].map(
    questionsOf,
  );
  for (const [asked, name] of [
    [one, 'Ada'],
    [two, 'Bob'],
  ] as const) {
    const retry = { requestState: asked?.state, inputResponses: { 'elicitation-1': named(name) } };
    expect(await request(replayEngine, handler, retry, {}, CALL)).toMatchObject({
      value: expect.stringContaining(name),
    });
  }
});

describe('what a store keeps of a claim, sealed', () => {
  const [own, other] = ['a'.repeat(32), 'b'.repeat(32)].map((secret) => createKeyring([secret], 'once:desk'));
  const steps = [{ kind: 'step', name: 'charge', result: 'step-secret' }] as never;
  const free = { is: 'free', answers: 'digest', steps } as const;
  const done = { is: 'done', answers: 'digest', outcome: { result: { text: 'outcome-secret' } } } as const;

  test('has neither the steps nor the outcome in the clear, and gives them back', () => {
    for (const claim of [free, done]) {
      const text = textOf(claim, own);
      expect(text).not.toContain('secret');
      expect(claimOf(text, own)).toEqual(claim);
    }
  });

  test('counts as done where it cannot be opened, so that no step is done twice', () => {
    const lost = { is: 'done', answers: 'digest', outcome: 'forgotten' };
    expect(claimOf(textOf(free, own), other)).toEqual(lost);
    expect(claimOf(textOf(free, own))).toEqual(lost);
  });
});

test('what came of answers is lost to make room, and that they were given is not', async () => {
  const { handler, greeted } = greeter();
  const store = new InMemoryStore({ maxBytes: 4000, maxBytesPerOwner: 2000 });
  const { replayEngine } = replayEngineFor({ store });
  const answer = async (name: string) => {
    const { state } = questionsOf(await request(replayEngine, handler));
    const retry = { requestState: state, inputResponses: { 'elicitation-1': named(name) } };
    await request(replayEngine, handler, retry);
    return retry;
  };
  const first = await answer('A'.repeat(800));
  await answer('B'.repeat(800));
  await expect(request(replayEngine, handler, first)).rejects.toMatchObject({
    message: expect.stringContaining('the result is not kept'),
  });
  expect(greeted).toHaveLength(2);
});
