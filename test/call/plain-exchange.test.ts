import { expect, test } from '@jest/globals';
import { deriveExchange } from '../../src/call/derive-exchange.ts';
import { plainExchange } from '../../src/call/plain-exchange.ts';
import { createLocalExchange } from '../../src/runtime/local-exchange.ts';

test('an exchange can be spread by whoever makes a context of it', () => {
  const local = createLocalExchange('7', { meta: { tenant: 'a' }, headers: { accept: 'text/plain' } });
  const derived = deriveExchange(local, { report: () => Promise.resolve() });
  const spread = { ...plainExchange(derived) };
  expect(spread).toMatchObject({ requestId: '7', meta: { tenant: 'a' }, signal: local.signal });
  expect(spread.header('Accept')).toBe('text/plain');
  expect(spread.report).toBe(derived.report);
});
