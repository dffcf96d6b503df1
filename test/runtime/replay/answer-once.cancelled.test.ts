import { describe, expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { latch } from '../../support/fake-application.ts';
import { request, type Handler } from './drive.ts';
import { asked, FORM, greeter } from './greeter.ts';

describe('a round that is cancelled', () => {
  const cancelled = async (handler: Handler, onAnswer: (controller: AbortController) => void) => {
    const around = await asked(handler);
    const controller = new AbortController();
    const running = request(around.first.replayEngine, handler, around.retry('Ada'), {
      signal: controller.signal,
    });
    onAnswer(controller);
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    return around;
  };

  test('can be answered again, and does no step twice', async () => {
    const charged: string[] = [];
    const begun = latch();
    const handler: Handler = async (ctx) => {
      const answer = await ctx.ask<{ readonly name: string }>(FORM, 'Who?');
      const receipt = await ctx.step('charge', () => charged.push('card'));
      begun.open();
      if (charged.length === 1 && ctx.signal.reason === undefined && !ctx.meta['again']) {
        await new Promise<void>((resolve) => {
          ctx.signal.addEventListener('abort', () => resolve());
        });
        await ctx.roots();
      }
      return { receipt, name: answer.action === 'accept' && answer.content.name };
    };
    const { second, retry } = await cancelled(handler, (controller) => {
      void begun.promise.then(() => controller.abort());
    });
    const again = { meta: { again: true } };
    await expect(request(second.replayEngine, handler, retry('Eve'), again)).rejects.toMatchObject({
      code: -32602,
    });
    const result = await request(second.replayEngine, handler, retry('Ada'), again);
    expect(result).toMatchObject({ value: { receipt: 1, name: 'Ada' } });
    expect(charged).toEqual(['card']);
  });

  test('can be answered in the same way only, also when nothing was done', async () => {
    const { handler, greeted } = greeter();
    const { second, retry } = await cancelled(handler, (controller) => controller.abort());
    const changed = { code: -32602, message: expect.stringContaining('in another way') };
    await expect(request(second.replayEngine, handler, retry('Eve'))).rejects.toMatchObject(changed);
    expect(await request(second.replayEngine, handler, retry('Ada'))).toMatchObject({
      value: 'Hello, Ada, number 1',
    });
    expect(greeted).toEqual(['Ada']);
  });

  test('and comes to its end all the same has its result kept', async () => {
    const controller = new AbortController();
    const { handler, greeted } = greeter(() => {
      controller.abort();
      return Promise.resolve();
    });
    const { first, second, retry } = await asked(handler);
    await request(first.replayEngine, handler, retry('Ada'), { signal: controller.signal });
    expect(await request(second.replayEngine, handler, retry('Ada'))).toMatchObject({
      value: 'Hello, Ada, number 1',
    });
    expect(greeted).toEqual(['Ada']);
  });

  test('does not wait any longer for another one', async () => {
    const { promise, open } = latch();
    const begun = latch();
    const { handler } = greeter(() => {
      begun.open();
      return promise;
    });
    const { first, second, retry } = await asked(handler);
    const running = request(first.replayEngine, handler, retry('Ada'));
    await begun.promise;
    const controller = new AbortController();
    const waiting = request(second.replayEngine, handler, retry('Ada'), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
    open();
    await running;
  });
});

test('a declared error with the code of a cancellation is an outcome like any other', async () => {
  const declined: Handler = async (ctx) => {
    await ctx.ask(FORM, 'Who?');
    throw new ProtocolError(-32603, 'not this time', { code: 'CANCELLED' });
  };
  const { first, second, retry } = await asked(declined);
  const refused = { data: { code: 'CANCELLED' }, message: 'not this time' };
  await expect(request(first.replayEngine, declined, retry('Ada'))).rejects.toMatchObject(refused);
  await expect(request(second.replayEngine, declined, retry('Ada'))).rejects.toMatchObject(refused);
  await expect(request(second.replayEngine, declined, retry('Eve'))).rejects.toMatchObject({
    message: expect.stringContaining('in another way'),
  });
});

test('no step is done twice, however often a round is interrupted', async () => {
  const done: string[] = [];
  const handlerUntil = (last: number, controller: AbortController): Handler => {
    return async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      for (let number = 1; number <= 4; number += 1) {
        await ctx.step(`step ${String(number)}`, () => void done.push(String(number)));
        if (number === last) {
          controller.abort();
          throw new Error('cut');
        }
      }
      return done.join(' ');
    };
  };
  const { first, second, retry } = await asked(handlerUntil(0, new AbortController()));
  for (const last of [1, 2, 2, 3]) {
    const controller = new AbortController();
    const cut = request(first.replayEngine, handlerUntil(last, controller), retry('Ada'), {
      signal: controller.signal,
    });
    await expect(cut).rejects.toThrow('cut');
    const other = request(second.replayEngine, handlerUntil(0, controller), retry('Eve'));
    await expect(other).rejects.toMatchObject({ message: expect.stringContaining('in another way') });
  }
  const result = await request(second.replayEngine, handlerUntil(0, new AbortController()), retry('Ada'));
  expect(result).toMatchObject({ value: '1 2 3 4' });
});

test('a run that was interrupted neither does nor asks anything any more', async () => {
  const done: string[] = [];
  const controller = new AbortController();
  const late = latch();
  const told: unknown[] = [];
  const handler: Handler = async (ctx) => {
    await ctx.ask(FORM, 'Who?');
    if (ctx.meta['again'] === true) return ctx.step('charge', () => done.push('again'));
    const goingOn = async (): Promise<void> => {
      await late.promise;
      const attempts = [ctx.step('charge', () => done.push('late')), ctx.roots()];
      told.push(
        ...(await Promise.allSettled(attempts)).map((attempt) => (attempt as { reason?: unknown }).reason),
      );
    };
    const ended = goingOn();
    told.push(ended);
    controller.abort();
    throw new Error('cut');
  };
  const { first, retry } = await asked(handler);
  const cut = request(first.replayEngine, handler, retry('Ada'), { signal: controller.signal });
  await expect(cut).rejects.toThrow('cut');
  late.open();
  await told[0];
  const again = { meta: { again: true } };
  expect(await request(first.replayEngine, handler, retry('Ada'), again)).toMatchObject({ value: 1 });
  expect(done).toEqual(['again']);
  expect(told.slice(1)).toMatchObject([{ code: 'CANCELLED' }, { code: 'CANCELLED' }]);
});

test('a failure that says when to try again lets the client do so, with the steps and answers kept', async () => {
  const done: string[] = [];
  let isBusy = true;
  const handler: Handler = async (ctx) => {
    await ctx.ask(FORM, 'Who?');
    await ctx.step('reserve', () => void done.push('reserved'));
    if (isBusy) throw new ProtocolError(-32603, 'busy', { code: 'BUSY', retryAfter: 1 });
    return 'well';
  };
  const { first, second, retry } = await asked(handler);
  await expect(request(first.replayEngine, handler, retry('Ada'))).rejects.toThrow('busy');
  isBusy = false;
  await expect(request(first.replayEngine, handler, retry('Eve'))).rejects.toThrow('in another way');
  expect(await request(second.replayEngine, handler, retry('Ada'))).toMatchObject({ value: 'well' });
  expect(done).toEqual(['reserved']);
});

test('a round that the shutdown of the server cuts off can be answered again on another instance', async () => {
  let runs = 0;
  const shutdown = new AbortController();
  const handler: Handler = async (ctx) => {
    await ctx.ask(FORM, 'Who?');
    runs += 1;
    if (runs > 1) return 'well';
    shutdown.abort();
    throw new ProtocolError(-32603, 'The call was cancelled', { code: 'CANCELLED' });
  };
  const { first, second, retry } = await asked(handler);
  const cut = request(first.replayEngine, handler, retry('Ada'), { signal: shutdown.signal });
  await expect(cut).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
  expect(await request(second.replayEngine, handler, retry('Ada'))).toMatchObject({ value: 'well' });
});
