import { expect, test } from '@jest/globals';
import { isClaim } from '../../../src/backplane/shared/claim.ts';

const write = { value: 'x', ttl: 1000 };

test.each([
  [true, { ...write, if: 'absent' }],
  [true, { ...write, if: 7, hold: 10 }],
  [false, { ...write, if: { held: 7 }, hold: 10, renumber: false }],
  [false, { ...write, if: 7 }],
  [false, write],
] as const)('that it is taken back when it is late is %s of %j', (expected, given) => {
  expect(isClaim(given)).toBe(expected);
});
