import { describe, expect, test } from '@jest/globals';
import type { CallExchange } from '../../../src/call/call-exchange.ts';
import { ERROR_META_KEY } from '../../../src/call/failure-result.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { answerFirstRound } from '../../../src/runtime/conversation/answer-first-round.ts';
import type { Conversation } from '../../../src/runtime/conversation/conversation.ts';
import { LazyConversation } from '../../../src/runtime/conversation/lazy-conversation.ts';
import { createLocalExchange } from '../../../src/runtime/local-exchange.ts';
import { CALL, conversationsFor, questionsOf, request, type Handler } from './drive.ts';

describe('a conversation that may never begin', () => {
  const lazy = () => {
    const begun: Conversation[] = [];
    const conversation = new LazyConversation({ journal: [], open: [] }, (each) => begun.push(each));
    return { conversation, begun };
  };

  test('does not begin with a look at its functions', () => {
    const { conversation, begun } = lazy();
    expect([typeof conversation.request, typeof conversation.step]).toEqual(['function', 'function']);
    expect([conversation.isBegun, begun]).toEqual([false, []]);
  });

  test('begins once', async () => {
    const { conversation, begun } = lazy();
    const { step } = conversation;
    await Promise.all([step('a', () => 1), conversation.step('b', () => 2), step('a', () => 3)]);
    expect([conversation.isBegun, begun.length]).toEqual([true, 1]);
    expect(begun[0]?.newSteps.map(({ name }) => name)).toEqual(['a', 'b', 'a-2']);
  });

  test.each(['over', 'interrupted'] as const)('that is %s begins without a word', async (end) => {
    const { conversation, begun } = lazy();
    conversation.close(end);
    await Promise.allSettled([conversation.step('a', () => 1)]);
    expect([conversation.isBegun, begun]).toEqual([true, []]);
  });
});

describe('the functions of an exchange', () => {
  /** A first request whose handler has the exchange itself. */
  const conduct = (handler: (exchange: CallExchange) => Promise<object>): Promise<object> => {
    const exchange: CallExchange = {
      ...createLocalExchange('1', { client: { capabilities: { roots: {} } } }),
      retry: { requestState: undefined, inputResponses: {} },
    };
    return conversationsFor().conversations.conduct(CALL, exchange, handler);
  };

  test('may be taken off it, and belong to one conversation all the same', async () => {
    const result = await conduct(async (exchange) => {
      const { step } = exchange;
      const other = exchange.step;
      if (step === undefined || other === undefined) throw new Error('no steps');
      const done: string[] = [];
      await Promise.all([step('a', () => done.push('a')), other('b', () => done.push('b'))]);
      return { done };
    });
    expect(result).toEqual({ done: ['a', 'b'] });
  });

  test('may be taken off it to ask', async () => {
    const result = await conduct(async ({ request: askClient }) => ({
      roots: await askClient('roots/list', {}),
    }));
    expect(questionsOf(result).requests).toMatchObject({ 'roots-1': { method: 'roots/list' } });
  });

  test('may be taken off it and never used', async () => {
    expect(await conduct(({ step, request: askClient }) => Promise.resolve({ step, askClient }))).toEqual({
      step: expect.any(Function),
      askClient: expect.any(Function),
    });
  });
});

describe('the first round', () => {
  const running = (run: (exchange: CallExchange) => Promise<object>) => ({
    call: CALL,
    exchange: createLocalExchange('1', {}),
    run,
  });
  const FRESH = { journal: [], open: [] } as const;
  const never = (): never => {
    throw new Error('played');
  };

  test('is answered with what a handler throws after its first step', async () => {
    const handler: Handler = async (ctx) => {
      await ctx.step('charge', () => 1);
      throw new ProtocolError(-32602, 'refused');
    };
    const answer = request(conversationsFor().conversations, handler);
    await expect(answer).rejects.toMatchObject({ code: -32602, message: 'refused' });
  });

  test('is refused where the client lacks a capability, whether that is a result or was thrown', async () => {
    const failure = { code: 'CLIENT_CAPABILITY_MISSING', details: { required: { roots: {} } } };
    const result = { content: [], isError: true, _meta: { [ERROR_META_KEY]: failure } };
    const ends = [
      () => Promise.resolve(result),
      () => Promise.reject(new ProtocolError(-32603, 'lacking', failure)),
    ];
    for (const end of ends) {
      const answer = answerFirstRound(running(end), FRESH, never);
      await expect(answer).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { roots: {} } },
      });
    }
  });

  test('is answered with what is thrown before there is a promise, also behind a step', async () => {
    const thrown = new ProtocolError(-32000, 'at once');
    const throwing = (isBegun: boolean) => (exchange: CallExchange) => {
      if (isBegun) void exchange.step?.('a', () => 1).catch(() => undefined);
      throw thrown;
    };
    for (const isBegun of [false, true]) {
      const { conversations } = conversationsFor();
      const exchange: CallExchange = {
        ...createLocalExchange('1', {}),
        retry: { requestState: undefined, inputResponses: {} },
      };
      await expect(conversations.conduct(CALL, exchange, throwing(isBegun))).rejects.toBe(thrown);
    }
  });

  test('plays nothing for a handler that does not ask', async () => {
    const result = { content: [] };
    expect(
      await answerFirstRound(
        running(() => Promise.resolve(result)),
        FRESH,
        never,
      ),
    ).toBe(result);
  });

  test('plays the run that goes on, and runs nothing anew', async () => {
    let runs = 0;
    const run = async ({ step }: CallExchange): Promise<object> => {
      runs += 1;
      return { given: await step?.('a', () => 1) };
    };
    const plays: Conversation[] = [];
    const result = await answerFirstRound(running(run), FRESH, (conversation, promise) => {
      plays.push(conversation);
      return promise;
    });
    expect([result, runs, plays.length]).toEqual([{ given: 1 }, 1, 1]);
    expect(plays[0]?.newSteps).toEqual([{ kind: 'step', name: 'a', value: 1 }]);
  });

  test('fails as what is played fails, whatever the run gives', async () => {
    const run = async ({ step }: CallExchange): Promise<object> => ({ given: await step?.('a', () => 1) });
    const failing = (): Promise<never> => Promise.reject(new Error('played'));
    await expect(answerFirstRound(running(run), FRESH, failing)).rejects.toThrow('played');
  });
});
