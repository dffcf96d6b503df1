import { describe, expect, test } from '@jest/globals';
import { createKeyring } from '../../../../src/shared/sealed-text.ts';
import { pack, unpack } from '../../../../src/kernel/call/replay/request-states.ts';
import type { ReplayEngineOptions } from '../../../../src/runtime/replay/replay-engine.ts';
import {
  CALL,
  callTo,
  replayEngineFor,
  questionsOf,
  request,
  type Handler,
} from '../../../runtime/replay/drive.ts';

const YES = { action: 'accept', content: {} };
const INVALID = { code: -32602, message: expect.stringContaining('it was not given out for this request') };
const [OLD, NEW] = ['old'.repeat(11), 'new'.repeat(11)];

const handler: Handler = async (ctx) => (await ctx.ask({ type: 'object', properties: {} }, 'Sure?')).action;

/** Asks with one set of options, and answers with another one. */
async function answer(
  asking: Partial<ReplayEngineOptions>,
  answering: Partial<ReplayEngineOptions> | undefined,
  change: (state: string) => string = (state) => state,
) {
  const asker = replayEngineFor(asking);
  const answerer = answering === undefined ? asker : replayEngineFor(answering);
  const { state, names } = questionsOf(await request(asker.replayEngine, handler));
  const inputResponses = Object.fromEntries(names.map((name) => [name, YES]));
  const outcome = request(answerer.replayEngine, handler, { requestState: change(state), inputResponses });
  return { outcome, logger: answerer.logger, state };
}

describe('a state', () => {
  test('hides its content, and is different each time', async () => {
    const { replayEngine } = replayEngineFor();
    const ask: Handler = async (ctx) => {
      await ctx.step('secret', () => 'correct horse battery staple');
      return handler(ctx);
    };
    const states = [await request(replayEngine, ask), await request(replayEngine, ask)].map(
      (result) => questionsOf(result).state,
    );
    expect(new Set(states).size).toBe(2);
    for (const state of states) {
      expect(state).toMatch(/^[\w-]+$/);
      expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain('horse');
    }
  });

  test.each<readonly [string, (state: string) => string]>([
    ['has something behind it', (state) => `${state}x`],
    ['has filling behind it', (state) => `${state}=`],
    ['has a line break in it', (state) => `${state.slice(0, 9)}\n${state.slice(9)}`],
    ['has another version', (state) => `B${state.slice(1)}`],
    ['has another key', (state) => `${state.slice(0, 4)}AAAA${state.slice(8)}`],
    ['has another content', (state) => `${state.slice(0, -30)}AAAA${state.slice(-26)}`],
    ['is cut', (state) => state.slice(0, -4)],
    ['is cut to nearly nothing', (state) => state.slice(0, 20)],
    ['is empty', () => ''],
    ['is not base64', () => '💥'],
    ['is far too long', (state) => state.repeat(20_000)],
  ])('is refused when it %s', async (_what, change) => {
    const { outcome, logger } = await answer({}, undefined, change);
    await expect(outcome).rejects.toMatchObject(INVALID);
    expect(logger.records.at(-1)).toMatchObject({ level: 'notice', event: 'question.state-refused' });
  });

  test('is refused on every place where a bit is changed', async () => {
    const { replayEngine } = replayEngineFor();
    const { state } = questionsOf(await request(replayEngine, handler));
    const bytes = Buffer.from(state, 'base64url');
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const requestState = changed.toString('base64url');
      await expect(request(replayEngine, handler, { requestState })).rejects.toMatchObject(INVALID);
    }
  });

  test.each([
    ['another tool', callTo('other', { a: 1, b: [2] })],
    ['another method', { ...CALL, method: 'prompts/get' }],
    ['other arguments', callTo('work', { a: 1, b: [3] })],
    ['no arguments', callTo('work', undefined)],
  ])('is refused for %s', async (_what, call) => {
    const { replayEngine } = replayEngineFor();
    const { state } = questionsOf(await request(replayEngine, handler));
    const other = request(replayEngine, handler, { requestState: state }, {}, call);
    await expect(other).rejects.toMatchObject(INVALID);
  });

  test('counts for the same arguments in another order, and for none as for an empty object', async () => {
    const { replayEngine } = replayEngineFor();
    for (const [first, second] of [
      [
        { a: 1, b: { c: 2, d: 3 } },
        { b: { d: 3, c: 2 }, a: 1 },
      ],
      [undefined, {}],
    ]) {
      const asked = await request(replayEngine, handler, {}, {}, callTo('work', first));
      const { state, names } = questionsOf(asked);
      const retry = { requestState: state, inputResponses: { [String(names[0])]: YES } };
      expect(await request(replayEngine, handler, retry, {}, callTo('work', second))).toMatchObject({
        value: 'accept',
      });
    }
  });

  const person = (clientId: string, sub?: string) => ({
    authInfo: { token: 't', clientId, scopes: [], ...(sub === undefined ? {} : { extra: { sub } }) },
  });

  test.each([
    ['another client', person('b', 'ada')],
    ['another person', person('a', 'eve')],
    ['a client without a person', person('a')],
    ['nobody', {}],
  ])('is refused for %s', async (_who, other) => {
    const { replayEngine } = replayEngineFor();
    const { state, names } = questionsOf(await request(replayEngine, handler, {}, person('a', 'ada')));
    const retry = { requestState: state, inputResponses: { [String(names[0])]: YES } };
    await expect(request(replayEngine, handler, retry, other)).rejects.toMatchObject(INVALID);
    expect(await request(replayEngine, handler, retry, person('a', 'ada'))).toMatchObject({
      value: 'accept',
    });
  });

  test('is refused when the time is over, and has ten minutes unless configured', async () => {
    let now = 1_000_000;
    for (const [lifetime, minutes] of [
      [undefined, 10],
      [60_000, 1],
    ] as const) {
      const { replayEngine } = replayEngineFor({ lifetime, now: () => now });
      const { state } = questionsOf(await request(replayEngine, handler));
      now += minutes * 60_000 - 1;
      expect(questionsOf(await request(replayEngine, handler, { requestState: state })).names).toHaveLength(
        1,
      );
      now += 1;
      const late = request(replayEngine, handler, { requestState: state });
      await expect(late).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('time to answer is over'),
      });
    }
  });
});

describe('secrets', () => {
  test('are shared by instances', async () => {
    const { outcome } = await answer({ secrets: [OLD] }, { secrets: [Buffer.from(OLD)] });
    expect(await outcome).toMatchObject({ value: 'accept' });
  });

  test('rotate: the first seals, all of them open', async () => {
    expect(await (await answer({ secrets: [OLD] }, { secrets: [NEW, OLD] })).outcome).toMatchObject({
      value: 'accept',
    });
    expect(await (await answer({ secrets: [NEW, OLD] }, { secrets: [NEW] })).outcome).toMatchObject({
      value: 'accept',
    });
    await expect((await answer({ secrets: [OLD] }, { secrets: [NEW] })).outcome).rejects.toMatchObject(
      INVALID,
    );
  });

  test('of one server do not open what another one sealed', async () => {
    const { outcome } = await answer({ secrets: [OLD] }, { secrets: [OLD], server: 'other' });
    await expect(outcome).rejects.toMatchObject(INVALID);
  });

  test('are random without any, which is logged once', async () => {
    const { outcome, logger } = await answer({}, {});
    await expect(outcome).rejects.toMatchObject(INVALID);
    expect(logger.records.map(({ event }) => event)).toEqual(['question.state-refused']);
    const alone = replayEngineFor();
    await request(alone.replayEngine, handler);
    await request(alone.replayEngine, handler);
    expect(alone.logger.records).toEqual([
      {
        level: 'info',
        event: 'question.random-key',
        message:
          'Questions cannot be answered on another instance or after a restart; set `secrets` for that.',
      },
    ]);
    expect((await answer({ secrets: [OLD] }, undefined)).logger.records).toEqual([]);
  });

  test('give other keys for other purposes', () => {
    const [one, other] = ['one', 'other'].map((purpose) => createKeyring([Buffer.from(OLD)], purpose));
    const sealed = one?.seal(Buffer.from('text')) ?? '';
    expect(Buffer.from(one?.open(sealed) ?? []).toString()).toBe('text');
    expect(other?.open(sealed)).toBeUndefined();
  });
});

describe('what a call has to remember', () => {
  test('is compressed when it is large, and says little by its length', () => {
    const large = { text: 'again and again '.repeat(1000), list: [1, 2, 3] };
    expect(unpack(pack(large))).toEqual(large);
    expect(pack(large).length).toBeLessThan(1025);
    expect(pack(large).length % 256).toBe(0);
    expect(unpack(pack({ small: 'ä' }))).toEqual({ small: 'ä' });
  });

  test('has a largest size; the step that is too large is named', async () => {
    const { replayEngine, logger } = replayEngineFor();
    const hoarding: Handler = async (ctx) => {
      await ctx.step('small', () => 'x'.repeat(1000));
      await ctx.step('page', () => 'y'.repeat(256 * 1024));
      return handler(ctx);
    };
    const result = await request(replayEngine, hoarding);
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'toolwright/error': { code: 'INTERNAL_ERROR' } },
    });
    expect(JSON.stringify(result)).not.toContain('page');
    expect(logger.records.at(-1)?.message).toMatch(
      /TW_JOURNAL_SIZE: step "page" has 2621\d\d of the 2632\d\d bytes/,
    );
    const prompt = request(replayEngine, hoarding, {}, {}, { ...CALL, method: 'prompts/get' });
    await expect(prompt).rejects.toMatchObject({ code: -32603, data: { code: 'INTERNAL_ERROR' } });
  });
});
