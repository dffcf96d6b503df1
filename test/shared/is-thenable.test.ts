import { expect, test } from '@jest/globals';
import { isThenable } from '../../src/shared/is-thenable.ts';

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
