import { describe, expect, test } from '@jest/globals';
import { ToolError } from '../../../src/errors/tool-error.ts';
import { settleGenerator } from '../../../src/compile/stages/attempt.ts';

type Report = readonly [number, number | undefined, string | undefined];

function recorder(signal?: AbortSignal) {
  const reports: Report[] = [];
  const context = {
    signal,
    async progress(...report: Report) {
      reports.push(report);
    },
  };
  return { reports, context };
}

describe('what counts as a generator', () => {
  test.each([
    ['a text', 'text'],
    ['nothing', undefined],
    ['null', null],
    ['an array', [1, 2]],
    ['a map', new Map([[1, 2]])],
    ['an iterator of an array', [1, 2].values()],
    ['an object with a next page', { next: '/page/2' }],
  ])('leaves %s as it is', (_name, value) => {
    expect(settleGenerator(value, undefined)).toBe(value);
  });

  test('is what a promise leads to as well', async () => {
    async function* work() {
      yield 1;
      return 'done';
    }
    expect(await settleGenerator(Promise.resolve(work()), undefined)).toBe('done');
    expect(await settleGenerator(Promise.resolve('plain'), undefined)).toBe('plain');
  });

  test('is recognized by its shape, as older compile targets have no generators of their own', async () => {
    const steps = [
      { done: false, value: 3 },
      { done: true, value: 'done' },
    ];
    const compiled = {
      next: async () => steps.shift(),
      return: async () => ({ done: true, value: undefined }),
      throw: async () => ({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    const { context, reports } = recorder();
    expect(await settleGenerator(compiled, context)).toBe('done');
    expect(reports).toEqual([[3, undefined, undefined]]);
  });
});

describe('what is yielded', () => {
  test('is reported in order, texts counted on from the last number', async () => {
    const { context, reports } = recorder();
    async function* work() {
      yield 'opening';
      yield 5;
      yield { progress: 7.5, total: 10, message: 'reading' };
      yield 'closing';
      yield;
      return { rows: 3 };
    }
    expect(await settleGenerator(work(), context)).toEqual({ rows: 3 });
    expect(reports).toEqual([
      [1, undefined, 'opening'],
      [5, undefined, undefined],
      [7.5, 10, 'reading'],
      [8, undefined, 'closing'],
    ]);
  });

  test('may come from a plain generator, whose result may be a promise', async () => {
    const { context, reports } = recorder();
    function* work(): Generator<number, Promise<string>> {
      yield 1;
      return Promise.resolve('done');
    }
    expect(await settleGenerator(work(), context)).toBe('done');
    expect(reports).toHaveLength(1);
  });

  test.each([
    ['no context', undefined],
    ['a context without progress', { user: 'ada' }],
  ])('is ignored with %s', async (_name, context) => {
    async function* work() {
      yield 1;
      return 'done';
    }
    expect(await settleGenerator(work(), context)).toBe('done');
  });

  test('is an error when it is not progress, and finally blocks run', async () => {
    let isClosed = false;
    async function* work() {
      try {
        yield ['row'];
      } finally {
        isClosed = true;
      }
    }
    await expect(settleGenerator(work(), undefined)).rejects.toThrow('it yielded array');
    expect(isClosed).toBe(true);
  });
});

describe('cancellation', () => {
  test('runs the finally blocks to their end and ends as CANCELLED', async () => {
    const controller = new AbortController();
    const { context, reports } = recorder(controller.signal);
    const events: string[] = [];
    async function* work() {
      try {
        yield 1;
        controller.abort('enough');
        events.push('aborted');
        yield 2;
        events.push('went on');
      } finally {
        yield 3;
        await Promise.resolve();
        events.push('closed');
      }
    }
    const failure: unknown = await Promise.resolve(settleGenerator(work(), context)).catch(
      (error: unknown) => error,
    );
    expect(ToolError.is(failure) && failure.code).toBe('CANCELLED');
    expect(events).toEqual(['aborted', 'closed']);
    expect(reports).toHaveLength(1);
  });

  test('before the first step leaves the body alone', async () => {
    let isStarted = false;
    async function* work() {
      isStarted = true;
      yield 1;
    }
    await expect(settleGenerator(work(), { signal: AbortSignal.abort() })).rejects.toThrow('cancelled');
    expect(isStarted).toBe(false);
  });

  test('does not take the result of a generator that has one', async () => {
    const controller = new AbortController();
    async function* work() {
      yield 1;
      controller.abort();
      return 'done';
    }
    expect(await settleGenerator(work(), { signal: controller.signal })).toBe('done');
  });
});

test('an error of the generator stays as it is', async () => {
  const failure = new Error('disk full');
  async function* work() {
    yield 1;
    throw failure;
  }
  await expect(settleGenerator(work(), undefined)).rejects.toBe(failure);
});
