import { describe, expect, test } from '@jest/globals';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import { latch } from '../../fixtures/fake-surface.ts';
import { request, type Handler } from './drive.ts';
import { asked, FORM, greeter } from './greeter.ts';

describe('a round that is cancelled', () => {
  const cancelled = async (handler: Handler, onAnswer: (controller: AbortController) => void) => {
    const around = await asked(handler);
    const controller = new AbortController();
    const running = request(around.first.conversations, handler, around.retry('Ada'), {
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
    await expect(request(second.conversations, handler, retry('Eve'), again)).rejects.toMatchObject({
      code: -32602,
    });
    const result = await request(second.conversations, handler, retry('Ada'), again);
    expect(result).toMatchObject({ value: { receipt: 1, name: 'Ada' } });
    expect(charged).toEqual(['card']);
  });

  test('can be answered in another way when nothing was done', async () => {
    const { handler, greeted } = greeter();
    const { second, retry } = await cancelled(handler, (controller) => controller.abort());
    expect(await request(second.conversations, handler, retry('Eve'))).toMatchObject({
      value: 'Hello, Eve, number 1',
    });
    expect(greeted).toEqual(['Eve']);
  });

  test('and comes to its end all the same has its result kept', async () => {
    const controller = new AbortController();
    const { handler, greeted } = greeter(() => {
      controller.abort();
      return Promise.resolve();
    });
    const { first, second, retry } = await asked(handler);
    await request(first.conversations, handler, retry('Ada'), { signal: controller.signal });
    expect(await request(second.conversations, handler, retry('Ada'))).toMatchObject({
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
    const running = request(first.conversations, handler, retry('Ada'));
    await begun.promise;
    const controller = new AbortController();
    const waiting = request(second.conversations, handler, retry('Ada'), { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
    open();
    await running;
  });

  test('because the server shuts down can be answered again on another instance', async () => {
    let runs = 0;
    const handler: Handler = async (ctx) => {
      await ctx.ask(FORM, 'Who?');
      runs += 1;
      if (runs === 1) throw new ProtocolError(-32603, 'The call was cancelled', { code: 'CANCELLED' });
      return 'well';
    };
    const { first, second, retry } = await asked(handler);
    const cut = request(first.conversations, handler, retry('Ada'));
    await expect(cut).rejects.toMatchObject({ data: { code: 'CANCELLED' } });
    expect(await request(second.conversations, handler, retry('Ada'))).toMatchObject({ value: 'well' });
  });
});
