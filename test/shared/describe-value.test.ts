import { expect, test } from '@jest/globals';
import { describeValue } from '../../src/shared/describe-value.ts';

const itself: unknown[] = [];
itself.push(itself);

test.each([
  ['text', '"text"'],
  ['x'.repeat(60), `"${'x'.repeat(50)}…"`],
  [7, '7'],
  [undefined, 'undefined'],
  [null, 'null'],
  [10n, '10n'],
  [Symbol('sign'), 'Symbol(sign)'],
  [[1, 'a', [2]], '[1, "a", a list]'],
  [[1, 2, 3, 4, 5, 6], 'a long list'],
  [itself, '[a list]'],
  [class Task {}, 'the class Task'],
  [class {}, 'a class'],
  [() => 1, 'a function'],
  [{ password: 'x' }, 'an object'],
  [Object.create(null), 'an object'],
  [new Date(0), 'an instance of Date'],
  [{ constructor: 'x' }, 'an object'],
])('%p is described in a few words', (value, words) => {
  expect(describeValue(value)).toBe(words);
});
