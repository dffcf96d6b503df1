import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deepCopy, deepFreeze, frozenCopy, isDeeplyFrozen } from '../../src/shared/deep-freeze.ts';

describe('frozenCopy', () => {
  test('gives an equal tree that nobody can change, and leaves the given one as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const given = JSON.stringify(value);
        const copy = frozenCopy(value);
        expect(isDeeplyFrozen(copy)).toBe(true);
        expect(copy).toEqual(deepCopy(value));
        expect(JSON.stringify(value)).toBe(given);
        if (typeof value === 'object' && value !== null) expect(Object.isFrozen(value)).toBe(false);
      }),
    );
  });

  test('shares what is frozen throughout, and copies what only looks frozen', () => {
    const frozen = deepFreeze({ list: [1, { two: 2 }] });
    const inner = { open: true };
    const shallow = Object.freeze({ inner });
    const copy = frozenCopy({ frozen, shallow });
    expect(copy.frozen).toBe(frozen);
    expect(copy.shallow).toEqual(shallow);
    inner.open = false;
    expect(copy.shallow.inner).toEqual({ open: true });
  });

  test('keeps a member named __proto__, prototypes, and what is not plain data', () => {
    const date = new Date(0);
    const named = JSON.parse('{"__proto__": {"a": 1}}') as object;
    const bare = Object.assign(Object.create(null) as object, { date });
    const copy = frozenCopy({ named, bare });
    expect(JSON.stringify(copy.named)).toBe('{"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(copy.named)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(copy.bare)).toBeNull();
    expect(copy.bare).toHaveProperty('date', date);
    expect(Object.isFrozen(date)).toBe(false);
  });
});
