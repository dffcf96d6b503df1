import { describe, expect, test } from '@jest/globals';
import { isSuspension } from '../../../src/call/step.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import {
  FORM,
  filled,
  SAID,
  ROOTS,
  willing,
  nameFrom,
  ask2025,
  replayEngineFor,
  converse,
  questionsOf,
  request,
  type Handler,
} from './drive.ts';

describe('a question', () => {
  test('ends the call with what the client is asked, under its name or kind and number', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = (ctx) =>
      Promise.all([
        nameFrom(ctx, 'Who?', 'user'),
        nameFrom(ctx, 'Who else?'),
        ctx.askUrl('https://example.com', 'Go'),
        ctx.sample('What?', { name: 'capital' }),
        ctx.roots(),
      ]);
    const { requests, names } = questionsOf(await request(replayEngine, handler));
    expect(names).toEqual(['user', 'elicitation-1', 'elicitation-2', 'capital', 'roots-1']);
    expect(requests['user']).toEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Who?', requestedSchema: FORM },
    });
    expect(requests['elicitation-2']).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://example.com', message: 'Go' },
    });
    expect(requests['capital']).toMatchObject({
      method: 'sampling/createMessage',
      params: { maxTokens: 1000 },
    });
    expect(requests['roots-1']).toEqual({ method: 'roots/list', params: {} });
  });

  test('is answered by calling again, and the handler gets what it gets from a client of 2025', async () => {
    const handler: Handler = async (ctx) => [
      await nameFrom(ctx, 'One?'),
      await nameFrom(ctx, 'Two?'),
      (await ctx.sample('Three?')).text,
      await ctx.roots(),
      (await ctx.askUrl('https://example.com', 'Five?')).action,
    ];
    const { replayEngine, logger } = replayEngineFor();
    const { result, requests } = await converse(replayEngine, handler, willing);
    expect(result.value).toEqual(['One?', 'Two?', 'Paris', ROOTS.roots, 'accept']);
    expect(result.value).toEqual(await ask2025(handler, willing));
    expect(requests).toBe(6);
    expect(logger.records.map(({ event }) => event)).toEqual(['question.random-key']);
  });

  test.each(['decline', 'cancel'])('may be answered by %s', async (action) => {
    const { replayEngine } = replayEngineFor();
    const { result } = await converse(
      replayEngine,
      (ctx) => nameFrom(ctx, 'Who?'),
      () => ({ action }),
    );
    expect(result.value).toBe(action);
  });

  test('that shares its name gets a number', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = async (ctx) => [
      await nameFrom(ctx, 'One?', 'who'),
      await nameFrom(ctx, 'Two?', 'who'),
      await Promise.all([nameFrom(ctx, 'Three?', 'who'), ctx.roots({ name: 'who' })]),
    ];
    const names: string[] = [];
    const { result } = await converse(replayEngine, handler, (question, name) => {
      names.push(name);
      return willing(question, name);
    });
    expect(names).toEqual(['who', 'who-2', 'who-3', 'who-4']);
    expect(result.value).toEqual(['One?', 'Two?', ['Three?', ROOTS.roots]]);
  });

  test.each([
    ['', 'an empty text'],
    [7, 'number'],
  ])('refuses the name %p', async (name, shown) => {
    const { replayEngine } = replayEngineFor();
    const asking = request(replayEngine, (ctx) => ctx.roots({ name: name as string }));
    await expect(asking).rejects.toMatchObject({
      code: 'TW_QUESTION_NAME',
      message: expect.stringContaining(shown),
    });
  });

  test('is asked again when the client leaves it out, and answers that were not asked for are ignored', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = (ctx) =>
      Promise.all([nameFrom(ctx, 'One?', 'one'), nameFrom(ctx, 'Two?', 'two')]);
    const first = questionsOf(await request(replayEngine, handler));
    const second = questionsOf(
      await request(replayEngine, handler, {
        requestState: first.state,
        inputResponses: { one: filled('Ada'), three: filled('Eve'), __proto__: filled('x') },
      }),
    );
    expect(second.names).toEqual(['two']);
    const last = await request(replayEngine, handler, {
      requestState: second.state,
      inputResponses: { one: filled('Other'), two: filled('Bob') },
    });
    expect(last).toMatchObject({ value: ['Ada', 'Bob'] });
  });

  test('without a name is asked from the start when there is no state', async () => {
    const { replayEngine } = replayEngineFor();
    const inputResponses = { 'elicitation-1': filled('Ada') };
    const again = await request(replayEngine, (ctx) => nameFrom(ctx, 'Who?'), { inputResponses });
    expect(questionsOf(again).names).toEqual(['elicitation-1']);
  });

  test('with a name is not answered unseen', async () => {
    const { replayEngine } = replayEngineFor();
    const inputResponses = { user: filled('Ada') };
    const result = await request(replayEngine, (ctx) => nameFrom(ctx, 'Who?', 'user'), { inputResponses });
    expect(questionsOf(result).names).toEqual(['user']);
  });

  test('may be answered in the first call if it says so, and is asked when that is wrong', async () => {
    const { replayEngine } = replayEngineFor();
    const offered = async (ctx: ToolContext, message: string, name: string): Promise<string> => {
      const answer = await ctx.ask<{ readonly name: string }>(FORM, message, { name, mayBeOffered: true });
      return answer.action === 'accept' ? answer.content.name : answer.action;
    };
    const handler: Handler = async (ctx) => [
      await offered(ctx, 'Who?', 'user'),
      await offered(ctx, 'Where?', 'place'),
    ];
    const known = { user: filled('Ada'), place: filled('London'), other: {} };
    expect(await request(replayEngine, handler, { inputResponses: known })).toMatchObject({
      value: ['Ada', 'London'],
    });
    for (const place of [filled('x'), 7, null, [], undefined]) {
      const inputResponses = { user: filled('Ada'), place };
      const { state, names } = questionsOf(await request(replayEngine, handler, { inputResponses }));
      expect(names).toEqual(['place']);
      const retry = { requestState: state, inputResponses: { place: filled('Paris'), user: filled('Eve') } };
      expect(await request(replayEngine, handler, retry)).toMatchObject({ value: ['Ada', 'Paris'] });
    }
  });
});

describe('an answer that is wrong', () => {
  test.each([
    ['breaks the form', filled('A')],
    ['has no action', { content: { name: 'Ada' } }],
    ['has content of another kind', { action: 'accept', content: 'Ada' }],
    ['is that of a model', SAID],
  ])('is asked for again when it %s', async (_what, wrong) => {
    const { replayEngine } = replayEngineFor();
    const answers = [wrong, wrong, wrong, filled('Ada')];
    const { result, requests } = await converse(
      replayEngine,
      (ctx) => nameFrom(ctx, 'Who?'),
      () => answers.shift(),
    );
    expect(result.value).toBe('Ada');
    expect(requests).toBe(5);
  });

  test('is given to the handler as an error in the end, and stays so', async () => {
    const { replayEngine } = replayEngineFor();
    const handler: Handler = async (ctx) => {
      const code = await nameFrom(ctx, 'Who?').catch((error: unknown) => {
        if (isSuspension(error)) throw error;
        return (error as { readonly code: string }).code;
      });
      return [code, await nameFrom(ctx, 'And now?')];
    };
    const { result, requests } = await converse(replayEngine, handler, ({ params }) =>
      params['message'] === 'Who?' ? filled('A') : filled('Bob'),
    );
    expect(result.value).toEqual(['INVALID_ANSWER', 'Bob']);
    expect(requests).toBe(6);
  });

  test('is asked for again from models and for roots, too', async () => {
    const { replayEngine } = replayEngineFor();
    const said = [{ text: 'Paris' }, SAID];
    const roots = [{ roots: [7] }, ROOTS];
    const handler: Handler = (ctx) => Promise.all([ctx.sample('What?'), ctx.roots()]);
    const { requests } = await converse(replayEngine, handler, ({ method }) =>
      method === 'roots/list' ? roots.shift() : said.shift(),
    );
    expect(requests).toBe(3);
  });
});
