import { describe, expect, test } from '@jest/globals';
import { Matrix, mustParse, negotiate, NoCompatibleVersionError, type MatrixEntry } from 'toolwright/version';
import { codeOf } from '../support/thrown.ts';

const minimum = new Matrix([{ component: 'api', minVersion: '1.0.0' }]);

describe('a matrix', () => {
  test('lets pass what is not below the minimum', () => {
    expect(minimum.check('api', '1.5.0')).toEqual({ compatible: true, deprecated: false });
    expect(minimum.check('api', mustParse('1.0.0'))).toMatchObject({ compatible: true });
    expect(minimum.check('api', '0.5.0')).toEqual({
      compatible: false,
      code: 'BELOW_MINIMUM',
      deprecated: false,
      message: 'api 0.5.0 is below the minimum 1.0.0',
    });
  });

  test('lets pass a component that it does not know', () => {
    expect(minimum.check('other', '0.0.1')).toMatchObject({
      compatible: true,
      code: 'UNKNOWN_COMPONENT',
      deprecated: false,
    });
    expect(minimum.check('toString', '0.0.1').code).toBe('UNKNOWN_COMPONENT');
    expect(codeOf(() => minimum.check('other', 'nonsense'))).toBe('INVALID_VERSION');
  });

  test('takes the maximum as inclusive, and both bounds as plain precedence', () => {
    const matrix = new Matrix([{ component: 'api', minVersion: '1.0.0', maxVersion: '2.0.0' }]);
    expect(matrix.check('api', '2.0.0').compatible).toBe(true);
    expect(matrix.check('api', '2.0.1')).toMatchObject({ code: 'ABOVE_MAXIMUM' });
    expect(matrix.check('api', '2.0.1').message).toMatch(/2\.0\.1.*2\.0\.0/);
    expect(matrix.check('api', '1.0.0-rc.1').code).toBe('BELOW_MINIMUM');
    expect(matrix.check('api', '2.0.0-rc.1').compatible).toBe(true);
  });

  test('holds a version against the constraint', () => {
    const matrix = new Matrix([{ component: 'api', constraint: '^1.2.0' }]);
    expect(matrix.check('api', '1.3.0').compatible).toBe(true);
    expect(matrix.check('api', '2.0.0')).toMatchObject({ compatible: false, code: 'CONSTRAINT_NOT_MET' });
    expect(matrix.check('api', '2.0.0').message).toMatch(/2\.0\.0.*\^1\.2\.0/);
    expect(matrix.check('api', '1.3.0-beta').code).toBe('CONSTRAINT_NOT_MET');
    expect(matrix.check('api', '1.3.0-beta', { includePrerelease: true }).compatible).toBe(true);
  });

  test('wants all entries of a component to hold, and names the first that does not', () => {
    const matrix = new Matrix([
      { component: 'api', minVersion: '1.0.0' },
      { component: 'other', minVersion: '9.0.0' },
      { component: 'api', maxVersion: '3.0.0', constraint: '1.x || 3.x' },
    ]);
    expect(matrix.check('api', '0.1.0').code).toBe('BELOW_MINIMUM');
    expect(matrix.check('api', '4.0.0').code).toBe('ABOVE_MAXIMUM');
    expect(matrix.check('api', '2.0.0').code).toBe('CONSTRAINT_NOT_MET');
    expect(matrix.check('api', '1.5.0').compatible).toBe(true);
  });

  test('reports deprecation only where everything holds', () => {
    const matrix = new Matrix([
      { component: 'api', deprecated: true, message: 'first' },
      { component: 'api', deprecated: true, message: 'second' },
      { component: 'api', minVersion: '1.0.0', message: 'of no deprecation' },
    ]);
    expect(matrix.check('api', '1.0.0')).toEqual({ compatible: true, deprecated: true, message: 'first' });
    expect(matrix.check('api', '0.1.0')).toMatchObject({ code: 'BELOW_MINIMUM', deprecated: false });
    expect(new Matrix([{ component: 'api', deprecated: true }]).check('api', '1.0.0')).toEqual({
      compatible: true,
      deprecated: true,
    });
    expect(new Matrix([{ component: 'api', deprecated: false, message: 'x' }]).check('api', '1.0.0')).toEqual(
      { compatible: true, deprecated: false },
    );
  });

  test('does not change with what it was made of', () => {
    const entry = { component: 'api', minVersion: '1.0.0' };
    const entries = [entry];
    const matrix = new Matrix(entries);
    entry.minVersion = '0.0.0';
    entries.push({ component: 'other', minVersion: '1.0.0' });
    expect(matrix.check('api', '0.5.0').compatible).toBe(false);
    expect(matrix.check('other', '0.5.0').code).toBe('UNKNOWN_COMPONENT');
    expect(Object.isFrozen(matrix.entries) && Object.isFrozen(matrix.entries[0])).toBe(true);
  });

  test.each([
    [{ component: 'api', minVersion: '1.0' }, 'INVALID_VERSION'],
    [{ component: 'api', maxVersion: '^1' }, 'INVALID_VERSION'],
    [{ component: 'api', constraint: '1, 2' }, 'INVALID_CONSTRAINT'],
    [{ component: 'api', minimum: '1.0.0' }, 'INVALID_MATRIX'],
    [{ component: 'api', minVersion: 1 }, 'INVALID_MATRIX'],
    [{ component: 'api', deprecated: 'yes' }, 'INVALID_MATRIX'],
    [{ minVersion: '1.0.0' }, 'INVALID_MATRIX'],
    [{ component: '' }, 'INVALID_MATRIX'],
    [{ component: undefined }, 'INVALID_MATRIX'],
    [null, 'INVALID_MATRIX'],
    ['api', 'INVALID_MATRIX'],
  ])('refuses the entry %j', (entry, code) => {
    expect(codeOf(() => new Matrix([entry as MatrixEntry]))).toBe(code);
  });
});

describe('negotiation', () => {
  const available = ['0.5.0', '1.0.0', '1.5.0', '2.0.0'];

  test('finds the highest version that passes', () => {
    expect(negotiate(minimum, 'api', available)).toEqual({ version: '2.0.0', deprecated: false });
    expect(minimum.negotiate('api', available)).toEqual(negotiate(minimum, 'api', available));
    const capped = new Matrix([{ component: 'api', maxVersion: '1.9.9' }]);
    expect(capped.negotiate('api', [...available].reverse()).version).toBe('1.5.0');
  });

  test('gives the version in the form in which it was offered', () => {
    const version = mustParse('v1.0.0');
    expect(minimum.negotiate('api', [version]).version).toBe(version);
    expect(minimum.negotiate('api', ['v1.0.0']).version).toBe('v1.0.0');
    expect(minimum.negotiate('api', ['1.0.0+a', '1.0.0+b']).version).toBe('1.0.0+a');
  });

  test('takes any version of a component that the matrix does not know', () => {
    expect(minimum.negotiate('other', available)).toEqual({ version: '2.0.0', deprecated: false });
  });

  test('counts deprecated versions, and says so', () => {
    const matrix = new Matrix([{ component: 'api', deprecated: true, message: 'use v2' }]);
    expect(matrix.negotiate('api', available)).toEqual({
      version: '2.0.0',
      deprecated: true,
      message: 'use v2',
    });
  });

  test('takes prereleases of a constraint with includePrerelease', () => {
    const matrix = new Matrix([{ component: 'api', constraint: '^1.0.0' }]);
    const offered = ['1.0.0', '1.1.0-beta'];
    expect(matrix.negotiate('api', offered).version).toBe('1.0.0');
    expect(matrix.negotiate('api', offered, { includePrerelease: true }).version).toBe('1.1.0-beta');
    expect(negotiate(matrix, 'api', offered, { includePrerelease: true }).version).toBe('1.1.0-beta');
  });

  test('takes no prerelease without includePrerelease, unless the matrix names one of the same version', () => {
    const offered = ['1.0.0', '2.0.0-beta.2'];
    expect(minimum.negotiate('api', offered).version).toBe('1.0.0');
    expect(minimum.negotiate('other', offered, { includePrerelease: false }).version).toBe('1.0.0');
    expect(minimum.negotiate('other', offered, { includePrerelease: true }).version).toBe('2.0.0-beta.2');
    expect(codeOf(() => minimum.negotiate('other', ['2.0.0-beta.2']))).toBe('NO_COMPATIBLE_VERSION');
    const named = [
      { minVersion: '2.0.0-beta.1' },
      { maxVersion: '2.0.0-rc.1' },
      { constraint: '^2.0.0-beta.1' },
    ];
    for (const entry of named) {
      const matrix = new Matrix([{ component: 'api', ...entry }]);
      expect(matrix.negotiate('api', offered).version).toBe('2.0.0-beta.2');
      expect(matrix.negotiate('other', offered).version).toBe('1.0.0');
    }
    const other = new Matrix([{ component: 'api', minVersion: '1.0.0-beta.1' }]);
    expect(other.negotiate('api', offered).version).toBe('1.0.0');
  });

  test('names the component when nothing passes', () => {
    let thrown: unknown;
    try {
      minimum.negotiate('api', ['0.5.0', '0.6.0']);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(NoCompatibleVersionError);
    expect(thrown).toMatchObject({ code: 'NO_COMPATIBLE_VERSION', component: 'api' });
    expect((thrown as Error).message).toMatch(/^NO_COMPATIBLE_VERSION: api .*0\.5\.0, 0\.6\.0/);
    expect(codeOf(() => minimum.negotiate('api', []))).toBe('NO_COMPATIBLE_VERSION');
  });

  test('refuses what is not a version, even beside one that passes', () => {
    expect(codeOf(() => minimum.negotiate('api', ['2.0.0', 'latest']))).toBe('INVALID_VERSION');
    expect(codeOf(() => minimum.negotiate('other', ['2.0.0', null as never]))).toBe('INVALID_VERSION');
  });
});
