import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare as semverCompare, satisfies, validRange } from 'semver';
import { ToolwrightError } from 'toolwright';
import {
  compare,
  equal,
  greaterThan,
  InvalidVersionError,
  lessThan,
  mustParse,
  parse,
  check,
  compatible,
  Matrix,
  parseConstraint,
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

const number = fc.oneof(fc.nat(3), fc.nat(20), fc.constant(Number.MAX_SAFE_INTEGER));
const identifier = fc.oneof(
  fc.nat(12).map(String),
  fc.constantFrom('alpha', 'beta', 'rc', 'a-b', '-', '0a', 'x'),
);
const suffix = (sign: string) =>
  fc
    .option(fc.array(identifier, { minLength: 1, maxLength: 3 }), { nil: [] })
    .map((list) => (list.length === 0 ? '' : `${sign}${list.join('.')}`));
const version = fc
  .tuple(number, number, number, suffix('-'), suffix('+'))
  .map(([major, minor, patch, prerelease, build]) => `${major}.${minor}.${patch}${prerelease}${build}`);
const simple = fc
  .tuple(fc.constantFrom('', '=', '>', '>=', '<', '<=', '^', '~'), fc.constantFrom('', 'v'), version)
  .map((parts) => parts.join(''));
// semver reads no range around the highest number.
const readable = simple.filter((text) => validRange(text) !== null);
const partial = fc
  .tuple(fc.constantFrom('', '^', '~', '>=', '<'), number, fc.constantFrom('', '.x', '.*', '.1', '.1.x'))
  .map((parts) => parts.join(''));
const hyphen = fc.tuple(version, version).map((parts) => parts.join(' - '));
const range = fc
  .array(fc.array(fc.oneof(simple, partial, hyphen), { maxLength: 2 }), { minLength: 1, maxLength: 2 })
  .map((sets) => sets.map((set) => set.join(' ')).join(' || '));

test('the order is total and that of semver', () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(compare(a, b)).toBe(semverCompare(a, b));
      expect(compare(a, b) + compare(b, a)).toBe(0);
      expect(compare(a, a)).toBe(0);
      const [low, middle, high] = [a, b, c].sort(compare) as [string, string, string];
      expect(compare(low, middle) <= 0 && compare(middle, high) <= 0 && compare(low, high) <= 0).toBe(true);
    }),
  );
});

test('what is printed is read as the same version', () => {
  fc.assert(
    fc.property(version, (text) => {
      const read = parse(text);
      expect(String(read)).toBe(text);
      expect(parse(String(read))).toEqual(read);
    }),
  );
});

test('a range takes what it takes in npm, and prints as it does there', () => {
  fc.assert(
    fc.property(range, version, fc.boolean(), (text, candidate, includePrerelease) => {
      const valid = validRange(text);
      // Near the highest number, a range may be one without prereleases only
      fc.pre(valid !== null && validRange(text, { includePrerelease }) !== null);
      expect(String(parseConstraint(text))).toBe(valid);
      const expected = satisfies(candidate, text, { includePrerelease });
      expect(check(text, candidate, { includePrerelease })).toBe(expected);
      expect(check(parseConstraint(text), candidate, { includePrerelease })).toBe(expected);
    }),
  );
});

test('no text makes reading throw anything but the errors of its own', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({
          unit: fc.constantFrom('v', '0', '.', '1', '-', '+', 'x', '^', '~', '<', '>', '=', '|', ',', ' '),
        }),
      ),
      (text) => {
        expect(parse(text) === null || typeof String(parse(text)) === 'string').toBe(true);
        try {
          expect(text.includes(',') && parseConstraint(text)).toBe(false);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_CONSTRAINT' });
        }
      },
    ),
  );
});

test('compatible versions share the leftmost number that is not 0', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      const [left, right] = [parse(a)!, parse(b)!];
      const lead = right.major > 0 ? 1 : right.minor > 0 ? 2 : 3;
      const head = (each: typeof left) => [each.major, each.minor, each.patch].slice(0, lead).join('.');
      expect(compatible(a, b)).toBe(compare(a, b) >= 0 && head(left) === head(right));
    }),
  );
});

test('compatible versions are those of the caret range, where npm has one', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      fc.pre(validRange(`^${b}`) !== null);
      const isInside = satisfies(a, `^${b}`, { includePrerelease: true });
      expect(compatible(a, b)).toBe(compare(a, b) >= 0 && isInside);
    }),
  );
});

test('a negotiation gives the highest version that passes, in whatever order they come', () => {
  const entry = fc.record(
    { component: fc.constant('api'), minVersion: version, maxVersion: version, constraint: readable },
    { requiredKeys: ['component'] },
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 2 }), fc.array(version), fc.boolean(), (entries, list, flag) => {
      const options = { includePrerelease: flag };
      const matrix = new Matrix(entries);
      // npm takes a prerelease where a range names one of the same numbers
      const ranges = entries.flatMap(({ minVersion: low, maxVersion: high, constraint }) => [
        ...[low, high].flatMap((bound) => (bound === undefined ? [] : [`>=${bound}`, `<=${bound}`])),
        ...(constraint === undefined ? [] : [constraint]),
      ]);
      const isWanted = (each: string): boolean =>
        flag || mustParse(each).prerelease.length === 0 || ranges.some((range) => satisfies(each, range));
      const passing = list.filter((each) => matrix.check('api', each, options).compatible && isWanted(each));
      if (passing.length === 0) {
        expect(() => matrix.negotiate('api', list, options)).toThrow('api has no compatible version');
        return;
      }
      const chosen = matrix.negotiate('api', list, options).version;
      expect(passing).toContain(chosen);
      expect(passing.every((each) => compare(each, chosen) <= 0)).toBe(true);
      expect(compare(matrix.negotiate('api', [...list].reverse(), options).version, chosen)).toBe(0);
    }),
  );
});
