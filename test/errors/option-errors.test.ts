import { expect, test } from '@jest/globals';
import { joinProblems, optionFacts } from '../../src/errors/option-errors.ts';

const small = { what: 'is too small.', fix: 'make it bigger' };
const blue = { what: 'is blue.', fix: 'make it red' };

test('one problem keeps its own words, and several become one error', () => {
  const code = 'TW_SERVER_OPTION';
  expect(joinProblems([{ code, where: 'listen()', ...small }])).toMatchObject({ code, ...small });
  expect(joinProblems([small, blue].map((facts) => ({ code, where: 'listen()', ...facts })))).toMatchObject({
    code,
    what: 'has 2 mistakes: it is too small; it is blue.',
    fix: 'make it bigger; make it red',
  });
  expect(() => joinProblems([])).toThrow(RangeError);
});

test('one wrong option is not counted', () => {
  const fault = (path: string) =>
    ({ path, kind: 'value', given: '5', allowed: 'a text', nearest: undefined }) as const;
  expect(optionFacts('listen()', [fault('host')]).what).not.toContain('mistake');
  expect(optionFacts('listen()', [fault('host'), fault('path')]).what).toMatch(/^has 2 mistakes: it .*; it /);
});
