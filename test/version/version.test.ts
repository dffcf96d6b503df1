import { describe, expect, test } from '@jest/globals';
import { ToolwrightError } from 'toolwright';
import {
  compare,
  equal,
  greaterThan,
  InvalidVersionError,
  lessThan,
  mustParse,
  parse,
} from 'toolwright/version';
import { codeOf } from '../support/thrown.ts';

describe('a version', () => {
  test('is read with all of its parts', () => {
    expect(parse(' v1.2.3-beta.2+linux.01 ')).toMatchObject({
      major: 1,
      minor: 2,
      patch: 3,
      prerelease: ['beta', 2],
      build: ['linux', '01'],
      raw: ' v1.2.3-beta.2+linux.01 ',
    });
  });

  test.each([
    ['v1.2.3', '1.2.3'],
    ['\t1.2.3\n', '1.2.3'],
    ['v1.0.0-rc.1+sha.5', '1.0.0-rc.1+sha.5'],
    ['1.0.0+01', '1.0.0+01'],
    ['9007199254740991.0.0', '9007199254740991.0.0'],
  ])('%j is printed as %s', (text, printed) => {
    expect(String(parse(text))).toBe(printed);
  });

  test('is frozen, its lists as well', () => {
    const version = mustParse('1.0.0-a+b');
    expect([version, version.prerelease, version.build].every(Object.isFrozen)).toBe(true);
  });

  const wrong: readonly unknown[] = [
    '',
    ' ',
    'v',
    'V1.2.3',
    'vv1.2.3',
    'v 1.2.3',
    '=1.2.3',
    '^1.2.3',
    '1',
    '1.2',
    '1.2.x',
    '1.2.3.4',
    '01.2.3',
    '1.02.3',
    '1.2.3-01',
    '1.2.3-',
    '1.2.3+',
    '1.2.3-a..b',
    '1.2.3+a..b',
    '1.2.3-ä',
    '-1.2.3',
    '1.2.-3',
    '9007199254740992.0.0',
    '0.0.99999999999999999999',
    `1.0.0-${'a'.repeat(300)}`,
    `${' '.repeat(100_000)}1.0.0${' '.repeat(100_000)}`,
    undefined,
    null,
    1.2,
    ['1.2.3'],
    {},
    { raw: 'nonsense' },
    { raw: 1 },
    Symbol('1.2.3'),
    10n,
    Object.create(null),
    { toString: () => '1.2.3' },
  ];

  test.each(wrong.map((text) => [text]))('%p is refused', (text) => {
    expect(parse(text as string)).toBeNull();
    expect(() => mustParse(text as string)).toThrow(InvalidVersionError);
    expect(codeOf(() => compare('1.0.0', text as string))).toBe('INVALID_VERSION');
    expect(codeOf(() => equal(text as string, '1.0.0'))).toBe('INVALID_VERSION');
  });

  test('is shown shortened in the error about it', () => {
    let thrown: unknown;
    try {
      mustParse('x'.repeat(100_000));
    } catch (error) {
      thrown = error;
    }
    expect(ToolwrightError.is(thrown) && thrown.message.length < 500).toBe(true);
  });
});

describe('two versions', () => {
  const ascending = [
    '0.9.9',
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.10.0',
    '2.0.0',
  ];

  test('are ordered as semver orders them', () => {
    expect([...ascending].reverse().sort(compare)).toEqual(ascending);
    expect(compare('1.0.0-alpha.2', '1.0.0-alpha.10')).toBe(-1);
    expect(lessThan('1.0.0-rc.1', '1.0.0')).toBe(true);
    expect(greaterThan('1.0.0', '1.0.0-rc.1')).toBe(true);
    expect(lessThan('1.0.0', '1.0.0') || greaterThan('1.0.0', '1.0.0')).toBe(false);
  });

  test('are equal whatever their build and their leading v', () => {
    expect(equal('1.0.0', 'v1.0.0')).toBe(true);
    expect(equal('1.0.0+a', '1.0.0+b')).toBe(true);
    expect(equal('1.0.0', '1.0.0-a')).toBe(false);
  });

  test('may be texts, versions, or versions that went through JSON', () => {
    const copy = JSON.parse(JSON.stringify(mustParse('1.5.0'))) as ReturnType<typeof mustParse>;
    expect(compare(mustParse('1.5.0'), '1.4.0')).toBe(1);
    expect(compare(copy, mustParse('1.5.0'))).toBe(0);
  });
});
