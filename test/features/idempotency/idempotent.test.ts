import { expect, test } from '@jest/globals';
import { idempotencyRule } from '../../../src/features/idempotency/idempotent.ts';

test('a result is kept for a day, and a call whose end is unknown fails, unless the options say otherwise', () => {
  expect(idempotencyRule({ key: 'arguments' })).toEqual({
    key: 'arguments',
    ttl: 86_400_000,
    onUnknown: 'fail',
  });
  const options = { key: 'idempotencyKey', ttl: 1, onUnknown: 'rerun' } as const;
  expect(idempotencyRule(options)).toEqual(options);
});
