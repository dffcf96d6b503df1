import { describe, expect, test } from '@jest/globals';
import {
  filled,
  willing,
  nameFrom,
  replayEngineFor,
  converse,
  questionsOf,
  request,
  type Handler,
} from '../../../runtime/replay/drive.ts';

describe('a handler that takes another way', () => {
  const differently = async (first: Handler, second: Handler) => {
    const { replayEngine, logger } = replayEngineFor();
    const asked = questionsOf(await request(replayEngine, first));
    const inputResponses = Object.fromEntries(asked.names.map((name) => [name, filled('Ada')]));
    const result = await request(replayEngine, second, { requestState: asked.state, inputResponses });
    const log = logger.records
      .filter(({ event }) => event === 'question.diverged')
      .map(({ message }) => message);
    return { result: result as { readonly isError?: boolean; readonly content: readonly unknown[] }, log };
  };

  test.each<readonly [string, Handler, Handler, string]>([
    [
      'asks with other words',
      (ctx) => nameFrom(ctx, 'Delete A?'),
      (ctx) => nameFrom(ctx, 'Delete B?'),
      'asked elicitation ("Delete B?") where it had asked elicitation "elicitation-1" ("Delete A?")',
    ],
    [
      'asks with other words under the same name',
      (ctx) => nameFrom(ctx, 'Delete A?', 'sure'),
      (ctx) => nameFrom(ctx, 'Delete B?', 'sure'),
      'asked elicitation "sure" ("Delete B?") where it had asked elicitation "sure" ("Delete A?")',
    ],
    [
      'asks another kind under the same name',
      (ctx) => nameFrom(ctx, 'Who?', 'who'),
      (ctx) => ctx.roots({ name: 'who' }),
      'asked roots "who" ("") where it had asked elicitation "who" ("Who?")',
    ],
    [
      'does not ask any more',
      (ctx) => nameFrom(ctx, 'Who?'),
      () => Promise.resolve('done'),
      'came to its end without elicitation "elicitation-1" ("Who?"), as in its earlier run',
    ],
    [
      'leaves out a step',
      async (ctx) => [await ctx.step('charge', () => 1), await nameFrom(ctx, 'Who?')],
      (ctx) => nameFrom(ctx, 'Who?'),
      'came to its end without the step "charge"',
    ],
    [
      'catches that it did',
      (ctx) => nameFrom(ctx, 'Delete A?'),
      async (ctx) => nameFrom(ctx, 'Delete B?').catch(() => 'well'),
      'asked elicitation ("Delete B?")',
    ],
  ])('is refused when it %s', async (_what, first, second, shown) => {
    const { result, log } = await differently(first, second);
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'REPLAY_DIVERGED' } },
    });
    expect(JSON.stringify(result)).not.toContain('Delete');
    expect(log).toHaveLength(1);
    expect(log[0]).toContain('tools/call work could not go on: TW_REPLAY_DIVERGED');
    expect(log[0]).toContain(shown);
  });

  test('does nothing after that', async () => {
    const done: string[] = [];
    await differently(
      (ctx) => nameFrom(ctx, 'Delete A?'),
      async (ctx) => {
        await nameFrom(ctx, 'Delete B?').catch(() => undefined);
        await ctx.step('delete', () => void done.push('B'));
      },
    );
    expect(done).toEqual([]);
  });

  test('may fail before it comes to what it did', async () => {
    const { replayEngine } = replayEngineFor();
    const { state } = questionsOf(await request(replayEngine, (ctx) => nameFrom(ctx, 'Who?')));
    const failing = request(replayEngine, () => Promise.reject(new RangeError('broken')), {
      requestState: state,
      inputResponses: { 'elicitation-1': filled('Ada') },
    });
    await expect(failing).rejects.toThrow('broken');
  });

  test('may ask at the same time in another order', async () => {
    const { replayEngine } = replayEngineFor();
    const after = async (turns: number, ask: () => Promise<string>): Promise<string> => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      return ask();
    };
    let run = 0;
    const handler: Handler = (ctx) => {
      run += 1;
      const [first, second] = run % 2 === 0 ? [0, 9] : [9, 0];
      return Promise.all([
        after(first, async () => [await nameFrom(ctx, 'One?'), await nameFrom(ctx, 'Three?')].join()),
        after(second, async () => [await nameFrom(ctx, 'Two?'), await nameFrom(ctx, 'Four?')].join()),
      ]);
    };
    const { result } = await converse(replayEngine, handler, willing);
    expect(result.value).toEqual(['One?,Three?', 'Two?,Four?']);
  });

  test('may come to a question late, when its questions have names', async () => {
    const { replayEngine } = replayEngineFor();
    let run = 0;
    let goOn = (): void => undefined;
    const handler: Handler = (ctx) => {
      run += 1;
      goOn();
      const nextRun = new Promise<void>((resolve) => (goOn = resolve));
      const late = async (message: string, isLate: boolean): Promise<string> => {
        // The run is over then, however long it takes
        if (isLate) await nextRun;
        return nameFrom(ctx, message, message);
      };
      return Promise.all([late('One?', run === 2), late('Two?', run === 1)]);
    };
    expect((await converse(replayEngine, handler, willing)).result.value).toEqual(['One?', 'Two?']);
    expect(run).toBe(3);
  });
});
