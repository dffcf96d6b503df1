import { describe, expect, test } from '@jest/globals';
import type { ToolContext } from '../../../../src/call/tool-context.ts';
import {
  filled,
  ROOTS,
  willing,
  nameFrom,
  replayEngineFor,
  converse,
  request,
  type Handler,
} from '../../../runtime/replay/drive.ts';

describe('user code', () => {
  test('that catches everything does not hide the question, and does nothing after it', async () => {
    const { replayEngine, logger } = replayEngineFor();
    const done: string[] = [];
    const handler: Handler = async (ctx) => {
      const name = await nameFrom(ctx, 'Who?').catch(() => 'nobody');
      await ctx.step(`greet ${name}`, () => void done.push(name)).catch(() => undefined);
      const other = await nameFrom(ctx, `Who but ${name}?`).catch(() => 'nobody');
      return `${name} and ${other}`;
    };
    const { result } = await converse(replayEngine, handler, ({ params }) =>
      params['message'] === 'Who?' ? filled('Ada') : filled('Bob'),
    );
    expect(result.value).toBe('Ada and Bob');
    expect(done).toEqual(['Ada']);
    expect(logger.records.map(({ level }) => level)).toEqual(['info']);
  });

  test('has its finally blocks run in each round', async () => {
    const { replayEngine } = replayEngineFor();
    const ends: string[] = [];
    const branch = async (ctx: ToolContext, message: string): Promise<string> => {
      try {
        return await nameFrom(ctx, message);
      } finally {
        ends.push(message);
      }
    };
    await converse(replayEngine, (ctx) => Promise.all([branch(ctx, 'One?'), branch(ctx, 'Two?')]), willing);
    expect(ends).toEqual(['One?', 'Two?', 'One?', 'Two?']);
  });

  test('may await its questions one after the other without ending the process', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = async (ctx) => {
      const [one, two] = [ctx.sample('One?'), ctx.roots()];
      return [(await one).text, await two];
    };
    expect((await converse(replayEngine, handler, willing)).result.value).toEqual(['Paris', ROOTS.roots]);
  });

  test('that asks forever is left behind, and the client is asked', async () => {
    const { replayEngine, logger } = replayEngineFor();
    const handler: Handler = async (ctx) => {
      for (;;) {
        const name = await nameFrom(ctx, 'Who?').catch(() => undefined);
        if (name !== undefined) return name;
      }
    };
    expect((await converse(replayEngine, handler, willing)).result.value).toBe('Who?');
    expect(logger.records.map(({ event }) => event)).toContain('question.abandoned');
  });

  test('that goes on after its end can do its steps, but not ask', async () => {
    const { replayEngine } = replayEngineFor();
    let late: Promise<readonly unknown[]> | undefined;
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const handler: Handler = async (ctx) => {
      late = over.then(() =>
        Promise.all([ctx.step('late', () => 1), ctx.roots().catch((error: unknown) => error)]),
      );
      return 'done';
    };
    expect(await request(replayEngine, handler)).toMatchObject({ value: 'done' });
    end();
    expect(await late).toMatchObject([1, { code: 'CLIENT_UNREACHABLE' }]);
  });

  test('that does not wait for its question is not held up by it', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = (ctx) => {
      void ctx.roots();
      return Promise.resolve('done');
    };
    expect(await request(replayEngine, handler)).toMatchObject({ value: 'done' });
  });
});
