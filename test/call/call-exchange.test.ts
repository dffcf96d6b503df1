import { expect, test } from '@jest/globals';
import { callOf } from '../support/call-of.ts';
import { plainExchange } from '../../src/call/call-exchange.ts';

test('an exchange can be spread by whoever makes a context of it', async () => {
  const call = callOf({ requestId: '7', meta: { tenant: 'a' }, headers: { accept: 'text/plain' } });
  const { header, step, ...spread } = plainExchange(call);
  expect(spread).toMatchObject({ requestId: '7', meta: { tenant: 'a' }, signal: call.signal });
  expect(header('Accept')).toBe('text/plain');
  expect(await step?.('a', () => 1)).toBe(1);
});
