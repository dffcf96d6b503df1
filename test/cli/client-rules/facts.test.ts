import { expect, test } from '@jest/globals';
import { isOld, sayOrigin } from '../../../src/cli/client-rules/facts.ts';

test.each([
  ['2026-05-31', true],
  ['2026-06-01', false],
  ['2026-11-27', false],
])('a fact of %s is old: %s', (date, old) => {
  expect(isOld({ date }, new Date('2026-11-28T00:00:00Z'))).toBe(old);
});

test('an origin says the day, how sure it is, the versions and the page', () => {
  const fact = {
    value: 1,
    source: 'https://example.com/a',
    date: '2026-11-26',
    sure: 'docs',
    for: '<2',
  } as const;
  expect(sayOrigin(fact)).toBe('2026-11-26, in its documentation, of version <2: https://example.com/a');
});
