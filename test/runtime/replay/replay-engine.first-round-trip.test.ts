import { describe, expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { latch } from '../../support/fake-application.ts';
import {
  replayEngineFor,
  converse,
  filled,
  isQuestion,
  nameFrom,
  questionsOf,
  request,
  ROOTS,
  willing,
  type Handler,
} from './drive.ts';

/** A call whose handler goes on after it was answered, until it is let do what it does late. */
async function goingOn(
  late: (ctx: ToolContext) => Promise<unknown>,
  end: () => unknown,
  signal?: AbortSignal,
) {
  const { replayEngine, logger } = replayEngineFor();
  const gate = latch();
  let rest: Promise<unknown> = Promise.reject(new Error('it never began'));
  rest.catch(() => undefined);
  const handler: Handler = async (ctx) => {
    rest = gate.promise.then(() => late(ctx));
    rest.catch(() => undefined);
    return end();
  };
  const answer = request(replayEngine, handler, {}, signal === undefined ? {} : { signal });
  const [ended] = await Promise.allSettled([answer]);
  gate.open();
  return { ended, rest, logger };
}

describe('a handler that goes on after its call was answered', () => {
  test('cannot ask any more, and gets an error', async () => {
    const { ended, rest } = await goingOn(
      (ctx) => ctx.roots(),
      () => 'done',
    );
    expect(ended).toMatchObject({ status: 'fulfilled', value: { value: 'done' } });
    await expect(rest).rejects.toMatchObject({
      code: 'CLIENT_UNREACHABLE',
      message: expect.stringContaining('is answered'),
    });
  });

  test('does its steps', async () => {
    const done: string[] = [];
    const { rest } = await goingOn(
      (ctx) => ctx.step('charge', () => done.push('card')),
      () => 'done',
    );
    expect([await rest, done]).toEqual([1, ['card']]);
  });

  test('was not a conversation: nothing is stored of it', async () => {
    const { rest, logger } = await goingOn(
      (ctx) => ctx.step('charge', () => 1),
      () => 'done',
    );
    await rest;
    expect(logger.records).toEqual([]);
  });

  test('that threw what is final goes on as one that gave a result', async () => {
    const { ended, rest } = await goingOn(
      (ctx) => ctx.step('clean', () => 'cleaned'),
      () => {
        throw new ProtocolError(-32602, 'refused');
      },
    );
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
    expect(await rest).toBe('cleaned');
  });
});

describe('a handler that was interrupted before it asked', () => {
  const both = (done: string[]) => async (ctx: ToolContext) =>
    Promise.allSettled([ctx.step('charge', () => done.push('card')), ctx.roots()]);
  const refused = { status: 'rejected', reason: { code: 'CANCELLED' } };

  test('neither does its steps nor asks, because the call may come again', async () => {
    const done: string[] = [];
    const { ended, rest } = await goingOn(both(done), () => {
      throw new Error('cut');
    });
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: 'cut' } });
    expect([await rest, done]).toMatchObject([[refused, refused], []]);
  });

  test('is the same where its call was cancelled and its failure would else be final', async () => {
    const done: string[] = [];
    const controller = new AbortController();
    const end = (): never => {
      controller.abort();
      throw new ProtocolError(-32602, 'refused');
    };
    const { rest } = await goingOn(both(done), end, controller.signal);
    expect([await rest, done]).toMatchObject([[refused, refused], []]);
  });

  test('is the same where its failure says when to try again', async () => {
    const done: string[] = [];
    const { rest } = await goingOn(both(done), () => {
      throw new ProtocolError(-32603, 'busy', { code: 'BUSY', retryAfter: 1 });
    });
    expect([await rest, done]).toMatchObject([[refused, refused], []]);
  });

  test('is over, not interrupted, where it gave its result in spite of that', async () => {
    const done: string[] = [];
    const controller = new AbortController();
    const end = (): string => {
      controller.abort();
      return 'done';
    };
    const { ended, rest } = await goingOn(both(done), end, controller.signal);
    expect(ended).toMatchObject({ value: { value: 'done' } });
    expect([await rest, done]).toMatchObject([[{ value: 1 }, { status: 'rejected' }], ['card']]);
  });
});

describe('a handler that asks', () => {
  const whenever: readonly (readonly [string, () => Promise<void> | undefined])[] = [
    ['at once', () => undefined],
    ['after it waited', () => Promise.resolve()],
    ['after some turns', () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))],
  ];

  test.each(whenever)('%s has its call answered with the question, and runs again', async (_, wait) => {
    const { replayEngine } = replayEngineFor();
    let runs = 0;
    const handler: Handler = (ctx) => {
      runs += 1;
      const waited = wait();
      return waited === undefined ? nameFrom(ctx, 'Who?') : waited.then(() => nameFrom(ctx, 'Who?'));
    };
    const { result, requests } = await converse(replayEngine, handler, () => filled('Ada'));
    expect([result.value, requests, runs]).toEqual(['Ada', 2, 2]);
  });

  test.each(whenever)('%s asks all that it asks at the same time in one answer', async (_, wait) => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = async (ctx) => {
      const waited = wait();
      if (waited !== undefined) await waited;
      return Promise.all([nameFrom(ctx, 'Ada'), ctx.roots()]);
    };
    const asked = questionsOf(await request(replayEngine, handler));
    expect(Object.values(asked.requests).map(({ method }) => method)).toEqual([
      'elicitation/create',
      'roots/list',
    ]);
    const { result, requests } = await converse(replayEngine, handler, willing);
    expect([result.value, requests]).toEqual([['Ada', ROOTS.roots], 2]);
  });

  test('after it did a step does it once', async () => {
    const { replayEngine } = replayEngineFor();
    const done: string[] = [];
    const handler: Handler = async (ctx) => {
      const number = await ctx.step('charge', () => done.push('card'));
      return `${await nameFrom(ctx, 'Who?')} ${String(number)}`;
    };
    const { result } = await converse(replayEngine, handler, () => filled('Ada'));
    expect([result.value, done]).toEqual(['Ada 1', ['card']]);
  });

  test('only for what the client offered is answered in its first request', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = (ctx) =>
      ctx.ask({ type: 'object', properties: { name: { type: 'string' } } }, 'Who?', {
        name: 'who',
        mayBeOffered: true,
      });
    const offered = { inputResponses: { who: filled('Ada') } };
    const result = await request(replayEngine, handler, offered);
    expect([isQuestion(result), result]).toMatchObject([false, { value: { content: { name: 'Ada' } } }]);
    expect(isQuestion(await request(replayEngine, handler))).toBe(true);
  });
});
