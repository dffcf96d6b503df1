import { expect, test } from '@jest/globals';
import { isVisible } from '../../../src/compile/tools/tool-filter.ts';

test.each([
  ['nothing', undefined, ['', 'a', 'b', 'a b']],
  ['all of its tags', { tags: ['a', 'b'] }, ['a b']],
  ['any of its tags', { anyTag: ['a', 'c'] }, ['a', 'a b']],
  ['none of its tags', { exclude: ['a'] }, ['', 'b']],
  ['all three', { tags: ['b'], anyTag: ['b'], exclude: ['a'] }, ['b']],
])('a filter that wants %s', (_wants, filter, expected) => {
  const seen = ['', 'a', 'b', 'a b'].filter((tags) => isVisible({ tags: tags.split(' ') }, filter));
  expect(seen).toEqual(expected);
});
