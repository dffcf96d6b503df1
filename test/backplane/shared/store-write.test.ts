import { describe, expect, test } from '@jest/globals';
import { boundOwner, conditionOf, isClaim, ownerLimit } from '../../../src/backplane/shared/store-write.ts';

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

test.each([
  [['any', 0], write],
  [['absent', 0], { ...write, if: 'absent' }],
  [['version', 7], { ...write, if: 7 }],
  [['held', 7], { ...write, if: { held: 7 } }],
] as const)('the condition %j is that of %j', (expected, given) => {
  expect(conditionOf(given)).toEqual(expected);
});

test.each([
  [true, { if: 'absent' }],
  [true, {}],
  [false, { if: 7 }],
  [false, { if: { held: 7 } }],
  [false, { share: { owner: 'o'.repeat(22), bytes: 10 } }],
  [false, { share: { owner: 'p'.repeat(22) } }],
  [false, { share: { owner: undefined } }],
] as const)('that the store bounds the owner is %s with %j', (isBound, more) => {
  const owner = 'o'.repeat(22);
  const given = { ...write, share: { owner }, ...more };
  expect(boundOwner(`${owner}.key`, given)).toBe(isBound ? owner : undefined);
});

describe('the bytes of an owner', () => {
  const owner = 'o'.repeat(22);
  const limited = { ...write, share: { owner, bytes: 10.5 } };

  test('are limited for its own keys, in whole bytes', () => {
    expect(ownerLimit(`${owner}.key`, limited)).toBe(10);
  });

  test.each([
    ['a key of nobody', 'key', limited],
    ['a key of another owner', `${'p'.repeat(22)}.key`, limited],
    ['a write without bytes', `${owner}.key`, { ...write, share: { owner } }],
    ['a write without an owner', `${owner}.key`, { ...write, share: { owner: undefined, bytes: 10 } }],
    ['a write without a share', `${owner}.key`, write],
  ])('are not limited for %s', (_, key, given) => {
    expect(ownerLimit(key, given)).toBeUndefined();
  });
});
