import { describe, expect, test } from '@jest/globals';
import { ERROR_META_KEY } from '../../../src/call/result-helpers.ts';
import { ProtocolError } from '../../../src/call/protocol-error.ts';
import type { Call, Handle } from '../../../src/kernel/call/call.ts';
import { runOnce } from '../../../src/runtime/replay/run-once.ts';
import { resultOf, type Outcome } from '../../../src/kernel/call/outcome.ts';
import { callOf } from '../../support/call-of.ts';
import { CALL, replayCall, replayEngineFor, questionsOf, request, type Handler } from './drive.ts';

const ROOTS = { client: { capabilities: { roots: {} } } };
const recorded = (): Call => {
  const call = callOf(ROOTS, {}, CALL);
  call.replayer = replayEngineFor().replayEngine.replayerOf(() => resultOf({}));
  return call;
};
/** A first request whose handler has the call itself. */
const first = (run: Handle): Promise<object> =>
  replayCall(replayEngineFor().replayEngine, callOf(ROOTS, {}, CALL), run);

describe('a run that is recorded', () => {
  test('records nothing of a handler that neither asks nor does steps', async () => {
    const call = recorded();
    const result = resultOf({ content: [] });
    expect(await runOnce(call, () => Promise.resolve(result))).toBe(result);
    expect([call.recorder, call.state]).toEqual([undefined, 'idle']);
  });

  test('has the steps of the run that goes on, which is not run again', async () => {
    const call = recorded();
    let runs = 0;
    const end = await runOnce(call, async (run) => {
      runs += 1;
      const given = await Promise.all([
        run.step('a', () => 1),
        run.step('b', () => 2),
        run.step('a', () => 3),
      ]);
      return resultOf({ given });
    });
    expect([end, runs]).toEqual([resultOf({ given: [1, 2, 3] }), 1]);
    expect(call.recorder?.newSteps.map(({ name }) => name)).toEqual(['a', 'b', 'a-2']);
    expect(call.state).toBe('done');
  });

  test('is suspended by a question, and stays so whatever its handler makes of that', async () => {
    const call = recorded();
    const end = await runOnce(call, async (run) => {
      await run.request('roots/list', {}).catch(() => undefined);
      return resultOf({ content: [] });
    });
    expect(end).toMatchObject({ kind: 'suspended', isAbandoned: false });
    expect(call.state).toBe('suspended');
    await expect(call.request('roots/list', {})).rejects.toThrow('waits for its client');
  });

  test.each(['end', 'interrupt'] as const)('asks nothing any more after its %s', async (end) => {
    const call = recorded();
    call[end]();
    await expect(call.request('roots/list', {})).rejects.toMatchObject({
      code: end === 'end' ? 'CLIENT_UNREACHABLE' : 'CANCELLED',
    });
    expect(call.recorder).toBeUndefined();
  });
});

describe('the first round', () => {
  test('asks for what its handler asks', async () => {
    const result = await first(async (run) => resultOf({ roots: await run.request('roots/list', {}) }));
    expect(questionsOf(result).requests).toMatchObject({ 'roots-1': { method: 'roots/list' } });
  });

  test('is answered with what a handler throws after its first step', async () => {
    const handler: Handler = async (ctx) => {
      await ctx.step('charge', () => 1);
      throw new ProtocolError(-32602, 'refused');
    };
    const answer = request(replayEngineFor().replayEngine, handler);
    await expect(answer).rejects.toMatchObject({ code: -32602, message: 'refused' });
  });

  test('is refused where the client lacks a capability, whether that is a result or was thrown', async () => {
    const failure = { code: 'CLIENT_CAPABILITY_MISSING', details: { required: { roots: {} } } };
    const result = { content: [], isError: true, _meta: { [ERROR_META_KEY]: failure } };
    const ends = [
      () => resultOf(result),
      () => Promise.resolve(resultOf(result)),
      () => Promise.reject(new ProtocolError(-32603, 'lacking', failure)),
    ];
    for (const end of ends) {
      await expect(first(end)).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { roots: {} } },
      });
    }
  });

  test('is answered with what is thrown before there is a promise, also behind a step', async () => {
    const thrown = new ProtocolError(-32000, 'at once');
    const throwing =
      (isBegun: boolean) =>
      (run: Call): Outcome => {
        if (isBegun) void run.step('a', () => 1).catch(() => undefined);
        throw thrown;
      };
    for (const isBegun of [false, true]) await expect(first(throwing(isBegun))).rejects.toBe(thrown);
  });

  test('throws what is not an answer to clients', async () => {
    await expect(first(() => Promise.reject(new RangeError('broken')))).rejects.toThrow(RangeError);
  });
});
