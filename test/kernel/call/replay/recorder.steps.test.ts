import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import {
  willing,
  nameFrom,
  ask2025,
  replayEngineFor,
  converse,
  request,
  type Handler,
} from '../../../runtime/replay/drive.ts';

describe('a step', () => {
  test('is done once, however often the handler runs', async () => {
    const { replayEngine } = replayEngineFor();
    const done: string[] = [];
    const handler: Handler = async (ctx) => {
      const heard: unknown[] = [];
      for (const message of ['One?', 'Two?', 'Three?', 'Four?', 'Five?']) {
        heard.push(await ctx.step('note', () => ({ count: done.push(message), message })));
        heard.push(await nameFrom(ctx, message));
      }
      await ctx.step('end', () => void done.push('end'));
      return heard;
    };
    const { result } = await converse(replayEngine, handler, willing);
    expect(done).toEqual(['One?', 'Two?', 'Three?', 'Four?', 'Five?', 'end']);
    const heard = done.slice(0, 5).flatMap((message, index) => [{ count: index + 1, message }, message]);
    expect(result.value).toEqual(heard);
  });

  test('gives the same each time: what JSON keeps, and its own copy of it', async () => {
    const { replayEngine } = replayEngineFor();
    const seen: unknown[] = [];
    const handler: Handler = async (ctx) => {
      const value = await ctx.step('list', () => ({ items: [1], gone: undefined }));
      const nothing = await ctx.step('nothing', () => undefined);
      seen.push(structuredClone([value, 'gone' in value, nothing]));
      value.items.push(2);
      await nameFrom(ctx, 'Who?');
      return value;
    };
    await converse(replayEngine, handler, willing);
    await ask2025(handler, willing);
    const same = [{ items: [1] }, false, undefined];
    expect(seen).toEqual([same, same, same]);
  });

  test('that throws is not kept', async () => {
    const { replayEngine } = replayEngineFor();
    let tries = 0;
    const handler: Handler = async (ctx) => {
      const unsure = ctx.step('unsure', () => {
        tries += 1;
        if (tries === 1) throw new RangeError('not yet');
        return tries;
      });
      const first = await unsure.catch((error: unknown) => (error as Error).name);
      await nameFrom(ctx, 'Who?');
      return first;
    };
    expect((await converse(replayEngine, handler, willing)).result.value).toBe(2);
  });

  test('that still runs when a question ends the run is waited for and kept', async () => {
    const { replayEngine } = replayEngineFor();
    let done = 0;
    const handler: Handler = (ctx) =>
      Promise.all([
        ctx.step('slow', async () => {
          await pause(30);
          return (done += 1);
        }),
        nameFrom(ctx, 'Who?'),
      ]);
    const { result } = await converse(replayEngine, handler, willing);
    expect(result.value).toEqual([1, 'Who?']);
    expect(done).toBe(1);
  });

  test.each([
    ['a Date', { at: new Date(0) }, 'an instance of Date at "at"'],
    ['a Map', new Map(), 'an instance of Map as a whole'],
    ['no number', [1, [Number.NaN]], 'NaN at "1.0"'],
    ['a function', { run: () => 1 }, 'a function at "run"'],
    ['a bigint', 7n, '7n as a whole'],
    ['a hole', [undefined], 'undefined at "0"'],
  ])('refuses %s in every era', async (_what, value, shown) => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = (ctx) => ctx.step('bad', () => value as unknown);
    const refused = {
      code: 'TW_STEP_RESULT',
      message: expect.stringContaining(`step "bad" gave a value that has ${shown}`),
    };
    await expect(request(replayEngine, handler)).rejects.toMatchObject(refused);
    await expect(ask2025(handler, willing)).rejects.toMatchObject(refused);
  });

  test('refuses a cycle', async () => {
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    await expect(ask2025((ctx) => ctx.step('bad', () => ring), willing)).rejects.toThrow('a cycle at "self"');
  });

  test('holds no question and no other step, in every era', async () => {
    const { replayEngine } = replayEngineFor();
    const asking: Handler = (ctx) => ctx.step('outer', () => nameFrom(ctx, 'Who?'));
    const stepping: Handler = (ctx) => ctx.step('outer', () => ctx.step('inner', () => 1));
    for (const handler of [asking, stepping]) {
      await expect(request(replayEngine, handler)).rejects.toMatchObject({ code: 'TW_STEP_NESTED' });
      await expect(ask2025(handler, willing)).rejects.toMatchObject({ code: 'TW_STEP_NESTED' });
    }
  });

  test('refuses an empty name', async () => {
    await expect(ask2025((ctx) => ctx.step('', () => 1), willing)).rejects.toMatchObject({
      code: 'TW_QUESTION_NAME',
    });
  });
});
