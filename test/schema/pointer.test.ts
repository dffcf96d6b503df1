import { expect, test } from '@jest/globals';
import { pointTo, tokensOf, valueAt } from '../../src/schema/pointer.ts';

test('pointers are written and read', () => {
  expect(tokensOf(pointTo('', 'a/b', '~', 0))).toEqual(['a/b', '~', '0']);
  expect(valueAt({ 'a/b': [{ x: 1 }] }, '/a~1b/0/x')).toBe(1);
  expect([valueAt([1], '/01'), valueAt({}, '/constructor'), valueAt({}, 'x')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
