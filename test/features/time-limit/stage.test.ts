import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Cancellation } from '../../../src/call/call-context.ts';
import type { ToolContext } from '../../../src/call/tool-context.ts';
import { compileTimeLimit } from '../../../src/features/time-limit/stage.ts';
import type { StageSettings } from '../../../src/kernel/call/stage.ts';
import { FakeToolContext } from '../../../src/testing/fake-context.ts';
import { attemptOf } from '../../support/attempt-of.ts';
import { callOf } from '../../support/call-of.ts';
import { MemoryLogger } from '../../support/fake-application.ts';

describe('a time limit', () => {
  let logger: MemoryLogger;
  beforeEach(() => {
    jest.useFakeTimers();
    logger = new MemoryLogger();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const run = async (
    work: (context: ToolContext) => unknown,
    context: unknown = new FakeToolContext(),
    cancellation?: Cancellation,
  ): Promise<unknown> => {
    const stage = compileTimeLimit({ middleware: [], metadata: [], requirements: undefined }, {
      bound: { 'time-limit': 100 },
    } as unknown as StageSettings);
    const limited = stage?.((attempt) => work(attempt.context as ToolContext));
    const call = callOf();
    if (cancellation !== undefined) call.cancellation = cancellation;
    return limited?.(attemptOf({ call, context, logger }));
  };
  const events = (): readonly string[] => logger.records.map(({ event }) => event);
  /** Runs what promises have waiting, too. */
  const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

  test('leaves no timer behind when the work is over before', async () => {
    expect(await run(() => 'done')).toBe('done');
    await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(jest.getTimerCount()).toBe(0);
    expect(events()).toEqual([]);
  });

  test('gives what is thrown at once', async () => {
    const failing = (): never => {
      throw new Error('at once');
    };
    await expect(run(failing)).rejects.toThrow('at once');
  });

  test('does not run while a person is asked, and goes on with what is left', async () => {
    let answer: (value: never) => void = () => undefined;
    const inner = new FakeToolContext();
    inner.ask = () => new Promise((resolve) => (answer = resolve));
    inner.roots = () => new Promise(() => undefined);
    const outcome = run(async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await ctx.ask({ type: 'object' }, 'Sure?');
      await new Promise((resolve) => setTimeout(resolve, 60));
      return 'too late';
    }, inner);
    const settled = jest.fn();
    outcome.then(settled, settled);
    await pass(60);
    await pass(10_000);
    expect(settled).not.toHaveBeenCalled();
    answer({ action: 'decline' } as never);
    await pass(39);
    expect(settled).not.toHaveBeenCalled();
    await pass(1);
    await expect(outcome).rejects.toMatchObject({ code: 'TIMED_OUT' });
  });

  test('counts what the work took before it had to wait', async () => {
    const outcome = run(async () => {
      jest.advanceTimersByTime(60);
      await new Promise((resolve) => setTimeout(resolve, 60));
    });
    const settled = expect(outcome).rejects.toMatchObject({ code: 'TIMED_OUT' });
    await pass(60);
    await settled;
  });

  test('goes on when the last of several questions is answered', async () => {
    const answers: (() => void)[] = [];
    const inner = new FakeToolContext();
    inner.roots = () => new Promise((resolve) => answers.push(() => resolve([])));
    const outcome = run((ctx) => Promise.all([ctx.roots(), ctx.roots()]).then(() => 'answered'), inner);
    await pass(1000);
    answers[0]?.();
    await pass(1000);
    answers[1]?.();
    expect(await outcome).toBe('answered');
  });

  test('keeps no process alive for a call that was cancelled, also after a question', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const isAlive = (): boolean => {
      const made = timers.mock.results.at(-1)?.value as NodeJS.Timeout;
      return made.hasRef();
    };
    let answer: (roots: []) => void = () => undefined;
    const leaving = new Cancellation();
    const inner = new FakeToolContext();
    inner.roots = () => new Promise((resolve) => (answer = resolve));
    const outcome = run(
      async (ctx) => {
        await Promise.resolve();
        await ctx.roots();
        return new Promise(() => undefined);
      },
      inner,
      leaving,
    );
    expect(isAlive()).toBe(true);
    leaving.cancel();
    expect(isAlive()).toBe(false);
    await pass(0);
    answer([]);
    await pass(0);
    expect([timers.mock.calls.length, isAlive()]).toEqual([2, false]);
    void pass(100);
    await expect(outcome).rejects.toMatchObject({ code: 'TIMED_OUT' });
    run(() => new Promise(() => undefined), inner, leaving).catch(() => undefined);
    expect(isAlive()).toBe(false);
  });

  test('logs a handler that does not stop, and how it ended', async () => {
    let end: (value: string) => void = () => undefined;
    const outcome = run(() => new Promise((resolve) => (end = resolve)));
    outcome.catch(() => undefined);
    await pass(100);
    expect(events()).toEqual(['call.timed-out']);
    await pass(1000);
    expect(events()).toEqual(['call.timed-out', 'call.still-running']);
    end('late');
    await pass(0);
    expect(logger.records.at(-1)).toMatchObject({ level: 'notice', event: 'call.late' });
    expect(logger.records.at(-1)).not.toHaveProperty('error');
  });

  test('logs nothing of one that stops when its signal is aborted', async () => {
    const stopping = ({ signal }: ToolContext): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    run(stopping).catch(() => undefined);
    await pass(5000);
    expect(events()).toEqual(['call.timed-out', 'call.late']);
    expect(logger.records.at(-1)).not.toHaveProperty('error');
  });

  test('keeps the error of one that fails late', async () => {
    const error = new Error('connection lost');
    run(() => new Promise((_resolve, reject) => setTimeout(reject, 200, error))).catch(() => undefined);
    await pass(5000);
    expect(logger.records.at(-1)).toMatchObject({ event: 'call.late', error });
  });

  test('hands on everything else of the context', async () => {
    const inner = new FakeToolContext({ headers: { 'x-tenant': 'acme' }, sessionId: 's', meta: { a: 1 } });
    await run(async (ctx) => {
      expect(ctx).not.toBe(inner);
      ctx.set('user', 'ada');
      await ctx.progress(1, 2, 'half');
      await ctx.log('text', 'error', 'name');
      await ctx.startTask('begun');
      ctx.releaseStream();
      expect(await ctx.step('once', () => 7)).toBe(7);
      expect(ctx.header('X-Tenant')).toBe('acme');
      const { requestId, sessionId, meta, authInfo, client, raw } = ctx;
      expect({ requestId, sessionId, meta, authInfo, client, raw }).toEqual({
        requestId: 'test',
        sessionId: 's',
        meta: { a: 1 },
        authInfo: undefined,
        client: inner.client,
        raw: undefined,
      });
      expect(ctx.get('user')).toBe('ada');
    }, inner);
    expect(inner.get('user')).toBe('ada');
    expect(inner.reported).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    expect(inner.logged).toEqual([{ data: 'text', level: 'error', logger: 'name' }]);
    expect(inner).toMatchObject({ taskMessages: ['begun'], released: true, steps: ['once'] });
  });
});
