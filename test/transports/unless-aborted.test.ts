import { expect, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { unlessAborted } from '../../src/transports/http/unless-aborted.ts';

const never = new Promise<string>(() => undefined);

test('gives the outcome of the promise and leaves no listener behind', async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(Promise.resolve('value'), [signal])).toBe('value');
  await expect(unlessAborted(Promise.reject(new Error('no')), [signal])).rejects.toThrow('no');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('gives up when any of the signals is aborted, or was before', async () => {
  const controller = new AbortController();
  const outcome = unlessAborted(never, [new AbortController().signal, controller.signal]);
  controller.abort();
  expect(await outcome).toBeUndefined();
  expect(await unlessAborted(never, [AbortSignal.abort()])).toBeUndefined();
});
