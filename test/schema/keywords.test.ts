import { expect, test } from '@jest/globals';
import { dialectOf, holderOf, isAnnotation, isChecked, subjectOf } from '../../src/schema/keywords.ts';

test.each([
  [{}, '2020-12'],
  [true, '2020-12'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema#' }, '2020-12'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, 'draft-07'],
  [{ $schema: 'https://json-schema.org/draft-07/schema' }, 'draft-07'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#' }, undefined],
  [{ $schema: 5 }, undefined],
])('the dialect of %j is %s', (schema, expected) => {
  expect(dialectOf(schema)).toBe(expected);
});

test.each([
  ['unevaluatedItems', '2020-12'],
  ['dependentSchemas', '2020-12'],
  ['additionalItems', 'draft-07'],
] as const)('%s is checked by %s alone', (keyword, dialect) => {
  const dialects = (['2020-12', 'draft-07'] as const).filter((each) => isChecked(keyword, each));
  expect(dialects).toEqual([dialect]);
});

test('what is unknown, or inherited by every object, is not a keyword', () => {
  for (const name of ['x-mine', 'constructor', '__proto__']) {
    expect([holderOf(name), subjectOf(name), isAnnotation(name)]).toEqual([undefined, undefined, false]);
  }
});
