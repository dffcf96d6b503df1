import { describe, expect, test } from '@jest/globals';
import { thenMaybe, toMaybePromise, catchMaybe, isThenable } from '../../src/shared/maybe-promise.ts';

const boom = new Error('boom');
const throwing = (): never => {
  throw boom;
};
const told = (thrown: unknown): string => `told: ${(thrown as Error).message}`;
const answering = (answer: unknown) => ({
  then: (resolve: (value: unknown) => void) => {
    resolve(answer);
  },
});

describe('what user code gave', () => {
  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'then'],
    ['an object', { name: 'Ada' }],
    ['an object whose then is not a function', { then: 'later' }],
    ['a promise', Promise.resolve(1)],
  ])('is what it is: %s', (_, value) => {
    expect(toMaybePromise(value)).toBe(value);
  });

  test('is a promise where another library made one', async () => {
    const value = toMaybePromise(answering('later'));
    expect(value).toBeInstanceOf(Promise);
    expect(await value).toBe('later');
  });

  test('fails as the promise of another library does', async () => {
    const refusing = { then: (_: unknown, reject: (reason: unknown) => void) => reject(boom) };
    await expect(toMaybePromise(refusing)).rejects.toBe(boom);
  });

  test('keeps a promise of a derived class', () => {
    const value = new (class Slow extends Promise<number> {})((resolve) => resolve(1));
    expect(toMaybePromise(value)).toBe(value);
  });
});

describe('thenMaybe', () => {
  test('goes on at once with a value', () => {
    expect(thenMaybe(2, (value) => value + 1)).toBe(3);
  });

  test('goes on later with a promise', async () => {
    const result = thenMaybe(Promise.resolve(2), (value) => value + 1);
    expect(result).toBeInstanceOf(Promise);
    expect(await result).toBe(3);
  });

  test('waits also for what comes next', async () => {
    expect(await thenMaybe(2, (value) => Promise.resolve(value + 1))).toBe(3);
    expect(await thenMaybe(Promise.resolve(2), (value) => Promise.resolve(value + 1))).toBe(3);
  });

  test('throws at once what the next step throws for a value, and later for a promise', async () => {
    expect(() => thenMaybe(2, throwing)).toThrow(boom);
    await expect(thenMaybe(Promise.resolve(2), throwing)).rejects.toBe(boom);
  });

  test('takes no step after a promise that fails', async () => {
    const taken: unknown[] = [];
    await expect(thenMaybe(Promise.reject(boom), (value) => taken.push(value))).rejects.toBe(boom);
    expect(taken).toEqual([]);
  });
});

describe('catchMaybe', () => {
  test('gives at once what is there, and does not ask what else', () => {
    expect(catchMaybe(() => 'well', throwing)).toBe('well');
  });

  test('gives later what comes later, and does not ask what else', async () => {
    const value = catchMaybe(() => Promise.resolve('well'), throwing);
    expect(value).toBeInstanceOf(Promise);
    expect(await value).toBe('well');
  });

  test('gives the other at once for what throws at once', () => {
    expect(catchMaybe<string>(throwing, told)).toBe('told: boom');
  });

  test('gives the other later for what fails later', async () => {
    expect(await catchMaybe<string>(() => Promise.reject(boom), told)).toBe('told: boom');
    expect(await catchMaybe<string>(throwing, (thrown) => Promise.resolve(told(thrown)))).toBe('told: boom');
  });

  test('fails when the other fails, too', async () => {
    const other = new Error('other');
    const failing = (): never => {
      throw other;
    };
    expect(() => catchMaybe<string>(throwing, failing)).toThrow(other);
    await expect(catchMaybe<string>(() => Promise.reject(boom), failing)).rejects.toBe(other);
  });

  test('passes on what was thrown, whatever it is', async () => {
    const thrown = { reason: 'no error' };
    const keep = (reason: unknown): unknown => reason;
    const giveUp = (): never => {
      // oxlint-disable-next-line typescript/only-throw-error -- User code may
      throw thrown;
    };
    expect(catchMaybe<unknown>(giveUp, keep)).toBe(thrown);
    expect(await catchMaybe<unknown>(async () => giveUp(), keep)).toBe(thrown);
  });
});

const then = (resolve: (value: unknown) => void): void => resolve('value');

test.each<[string, unknown]>([
  ['a promise', Promise.resolve()],
  ['an object with then', { then }],
  ['a function with then', Object.assign(() => 1, { then })],
  ['one that inherits then', Object.create({ then })],
  ['a proxy that hides then from who looks for it', new Proxy({}, { get: () => then, has: () => false })],
])('knows %s, as await does', async (_, value) => {
  expect(isThenable(value)).toBe(true);
  expect(await value).not.toBe(value);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'then'],
  ['an object whose then is none', { then: 'later' }],
  ['a function', () => 1],
])('does not take %s for one, as await does not', async (_, value) => {
  expect(isThenable(value)).toBe(false);
  expect(await value).toBe(value);
});
