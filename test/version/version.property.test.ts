import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare as semverCompare, satisfies, validRange } from 'semver';
import { check, compare, compatible, Matrix, mustParse, parse, parseConstraint } from 'toolwright/version';

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
