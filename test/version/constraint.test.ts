import { describe, expect, test } from '@jest/globals';
import { check, compatible, InvalidConstraintError, mustParse, parseConstraint } from 'toolwright/version';
import { codeOf } from '../support/thrown.ts';

describe('a constraint', () => {
  test.each([
    ['<2.0.0', '1.9.9', '2.0.0'],
    ['<=2.0.0', '2.0.0', '2.0.1'],
    ['>1.0.0', '1.0.1', '1.0.0'],
    ['>=1.0.0', '1.0.0', '0.9.9'],
    ['=1.2.3', '1.2.3', '1.2.4'],
    ['v1.2.3', '1.2.3', '1.2.4'],
    ['1.2.3', '1.2.3+build', '1.2.4'],
    ['^1.0.0', '1.5.0', '2.0.0'],
    ['^v1.0.0', '1.5.0', '0.9.0'],
    ['^0.2.3', '0.2.9', '0.9.0'],
    ['^0.0.3', '0.0.3', '0.0.4'],
    ['^0.x', '0.9.0', '1.0.0'],
    ['~1.2.3', '1.2.9', '1.3.0'],
    ['~1', '1.9.0', '2.0.0'],
    ['1.x', '1.9.0', '2.0.0'],
    ['1.2.*', '1.2.9', '1.3.0'],
    ['1', '1.9.0', '2.0.0'],
    ['1.0.0 - 2.0.0', '2.0.0', '2.0.1'],
    ['1.0 - 2.0', '2.0.9', '2.1.0'],
    ['>=1.0.0 <3.0.0', '2.0.0', '3.0.0'],
    ['>= 1.0.0   < 3.0.0', '2.0.0', '3.0.0'],
    ['1.x || 3.x', '3.1.0', '2.0.0'],
    ['', '0.0.0', '1.0.0-rc.1'],
    ['*', '99.0.0', '1.0.0-rc.1'],
  ])('%j takes %s and not %s', (constraint, inside, outside) => {
    expect(check(constraint, inside)).toBe(true);
    expect(check(constraint, outside)).toBe(false);
    expect(check(parseConstraint(constraint), mustParse(inside))).toBe(true);
  });

  test('is printed as npm normalises it', () => {
    expect(String(parseConstraint('^1.2.0'))).toBe('>=1.2.0 <2.0.0-0');
    expect(String(parseConstraint(' v1.x ||  3.0.0 '))).toBe('>=1.0.0 <2.0.0-0||3.0.0');
    expect(String(parseConstraint(''))).toBe('*');
    expect(parseConstraint('~1.2').raw).toBe('~1.2');
  });

  test('takes a prerelease only where it names one of the same version, or with includePrerelease', () => {
    expect(check('^1.0.0', '1.5.0-beta')).toBe(false);
    expect(check('^1.0.0', '1.5.0-beta', { includePrerelease: true })).toBe(true);
    expect(check('>=1.5.0-alpha', '1.5.0-beta')).toBe(true);
    expect(check('>=1.5.0-alpha', '1.6.0-beta')).toBe(false);
    expect(check('^1.0.0', '2.0.0-beta', { includePrerelease: true })).toBe(false);
    expect(check('1.x', '1.0.0-rc.1', { includePrerelease: true })).toBe(true);
    expect(check(parseConstraint(''), '1.0.0-rc.1', { includePrerelease: true })).toBe(true);
  });

  const wrong: readonly unknown[] = [
    ',',
    '1.2.3,',
    '>=1.0.0, <2.0.0',
    '>=1.0.0,<2.0.0',
    '1.x,2.x',
    '1.0.0+a,b',
    'latest',
    '1.2.3 || nonsense',
    '01.2.3',
    '1.2.3.4',
    '>=9007199254740992.0.0',
    '=>1.0.0',
    '^^1',
    '>'.repeat(10_000),
    undefined,
    null,
    1,
    [],
    {},
    { raw: ',' },
    { raw: 1 },
    Symbol('1'),
    Object.create(null),
  ];

  test.each(wrong.map((text) => [text]))('%p is refused', (text) => {
    expect(() => parseConstraint(text as string)).toThrow(InvalidConstraintError);
    expect(codeOf(() => check(text as string, '1.0.0'))).toBe('INVALID_CONSTRAINT');
  });

  test('is not asked about what is not a version', () => {
    expect(codeOf(() => check('*', '1.0'))).toBe('INVALID_VERSION');
    expect(codeOf(() => check('*', undefined as never))).toBe('INVALID_VERSION');
  });
});

describe('a version is compatible', () => {
  test.each([
    ['1.5.0', '1.2.0', true],
    ['1.2.0', '1.2.0', true],
    ['v1.2.0+build', '1.2.0+other', true],
    ['1.1.9', '1.2.0', false],
    ['2.0.0', '1.2.0', false],
    ['2.0.0-alpha', '1.2.0', false],
    ['1.5.0-alpha', '1.2.0', true],
    ['1.2.0-beta', '1.2.0-alpha', true],
    ['1.2.0-alpha', '1.2.0-beta', false],
    ['1.2.0-alpha', '1.2.0', false],
    ['0.3.0', '0.2.0', false],
    ['0.2.1', '0.2.0', true],
    ['0.0.4', '0.0.3', false],
    ['0.0.0', '0.0.0', true],
    ['9007199254740991.0.1', '9007199254740991.0.0', true],
    ['1.0.1', `1.0.0-${'a'.repeat(250)}`, true],
  ])('%s with %s: %p', (version, wanted, expected) => {
    expect(compatible(version, wanted)).toBe(expected);
    expect(compatible(mustParse(version), mustParse(wanted))).toBe(expected);
  });

  test('only when both are versions', () => {
    expect(codeOf(() => compatible('1', '1.0.0'))).toBe('INVALID_VERSION');
    expect(codeOf(() => compatible('1.0.0', '1'))).toBe('INVALID_VERSION');
  });
});
