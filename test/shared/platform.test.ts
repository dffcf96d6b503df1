import { afterEach, expect, jest, test } from '@jest/globals';
import {
  builtin,
  environmentVariable,
  inspect,
  loadLazily,
  nextTurn,
  unref,
  writeToStderr,
} from '../../src/shared/platform.ts';

const { process: own } = globalThis;

/** What a worker has: no process, or an empty one. */
function without<Result>(process: unknown, body: () => Result): Result {
  Object.assign(globalThis, { process });
  try {
    return body();
  } finally {
    globalThis.process = own;
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([undefined, {}])('there is no module of Node and no environment in %p', (process) => {
  expect(builtin('node:zlib')).toBeDefined();
  without(process, () => {
    expect(builtin('node:zlib')).toBeUndefined();
    expect(environmentVariable('PATH')).toBeUndefined();
  });
  expect(environmentVariable('PATH')).toBe(own.env['PATH']);
});

test('a value is shown without the tools of Node, too', () => {
  expect(inspect({ a: 1n })).toBe('{ a: 1n }');
  expect(without(undefined, () => [{ a: 1 }, 1, 2n, true, null, undefined].map(inspect))).toEqual([
    '{"a":1}',
    '1',
    '2',
    'true',
    'null',
    'undefined',
  ]);
});

test('what cannot go to stderr goes to the console', () => {
  const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  without({}, () => writeToStderr('it failed'));
  expect(error.mock.calls).toEqual([['it failed']]);
});

test('a package is loaded from where it is installed, and from the bundle where nothing is installed', () => {
  expect(loadLazily<{ readonly RE2JS: unknown }>('re2js', () => undefined).RE2JS).toBeDefined();
  expect(without(undefined, () => loadLazily('re2js', () => 'bundled'))).toBe('bundled');
});

test('a timer may be a number', () => {
  expect(() => unref(7)).not.toThrow();
});

test('the next turn comes after what is waiting now, with and without setImmediate', async () => {
  const { setImmediate } = globalThis;
  for (const given of [setImmediate, undefined]) {
    Object.assign(globalThis, { setImmediate: given });
    const order: string[] = [];
    const turn = nextTurn().then(() => order.push('turn'));
    await Promise.resolve().then(() => order.push('waiting'));
    await turn;
    Object.assign(globalThis, { setImmediate });
    expect(order).toEqual(['waiting', 'turn']);
  }
});
