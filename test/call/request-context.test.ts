import { expect, test } from '@jest/globals';
import { callOf } from '../support/call-of.ts';
import { plainRequestContext } from '../../src/call/request-context.ts';

test('a request context can be spread by code that makes a context of it', async () => {
  const call = callOf({ requestId: '7', meta: { tenant: 'a' }, headers: { accept: 'text/plain' } });
  const { header, step, ...spread } = plainRequestContext(call);
  expect(spread).toMatchObject({ requestId: '7', meta: { tenant: 'a' }, signal: call.signal });
  expect(header('Accept')).toBe('text/plain');
  expect(await step?.('a', () => 1)).toBe(1);
});
