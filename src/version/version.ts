import SemVer from 'semver/classes/semver.js';
import { ToolwrightError, type ErrorFacts } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';

/** A semantic version, frozen; {@link parse} makes it. */
export class Version {
  /** The first number of the version. */
  readonly major: number;
  /** The second number of the version. */
  readonly minor: number;
  /** The third number of the version. */
  readonly patch: number;
  /** `1.0.0-beta.2` has `['beta', 2]`. */
  readonly prerelease: readonly (string | number)[];
  /** `1.0.0+linux.01` has `['linux', '01']`; it plays no part in comparisons. */
  readonly build: readonly string[];
  /** The text as it was given. */
  readonly raw: string;

  private constructor({ major, minor, patch, prerelease, build }: SemVer, raw: string) {
    this.major = major;
    this.minor = minor;
    this.patch = patch;
    this.prerelease = Object.freeze([...prerelease]);
    this.build = Object.freeze([...build]);
    this.raw = raw;
    Object.freeze(this);
  }

  /** @internal Use {@link parse} or {@link mustParse}. */
  static of(text: string): Version {
    return new Version(toSemVer(text), text);
  }

  /** Without a leading `v`, with prerelease and build. */
  toString(): string {
    const prerelease = this.prerelease.length > 0 ? `-${this.prerelease.join('.')}` : '';
    const build = this.build.length > 0 ? `+${this.build.join('.')}` : '';
    return `${String(this.major)}.${String(this.minor)}.${String(this.patch)}${prerelease}${build}`;
  }
}

/**
 * Reads a semantic version, or gives null for what is none.
 * White space around it and one leading `v` are allowed; missing parts and leading zeros are not.
 *
 * @example
 * String(parse('v1.2.3')); // '1.2.3'
 * parse('1.2'); // null
 */
export function parse(text: string): Version | null {
  try {
    return Version.of(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return null;
    throw error;
  }
}

/**
 * Reads a semantic version that has to be one.
 * @throws InvalidVersionError `INVALID_VERSION`
 */
export function mustParse(text: string): Version {
  return Version.of(text);
}

/**
 * Orders two versions by precedence: -1, 0 or 1, as `sort` takes it. A release comes after its prereleases,
 * numbers in a prerelease count as numbers, and the build is ignored.
 * @throws InvalidVersionError `INVALID_VERSION` for a text that is not a version
 *
 * @example
 * ['1.0.0', '1.0.0-alpha.10', '1.0.0-alpha.2'].sort(compare); // alpha.2, alpha.10, 1.0.0
 */
export function compare(left: string | Version, right: string | Version): -1 | 0 | 1 {
  return toSemVer(left).compare(toSemVer(right));
}

/** @throws InvalidVersionError `INVALID_VERSION` for a text that is not a version */
export function lessThan(left: string | Version, right: string | Version): boolean {
  return compare(left, right) < 0;
}

/** @throws InvalidVersionError `INVALID_VERSION` for a text that is not a version */
export function greaterThan(left: string | Version, right: string | Version): boolean {
  return compare(left, right) > 0;
}

/**
 * True for versions of equal precedence: `1.0.0`, `v1.0.0` and `1.0.0+linux` are equal.
 * @throws InvalidVersionError `INVALID_VERSION` for a text that is not a version
 */
export function equal(left: string | Version, right: string | Version): boolean {
  return compare(left, right) === 0;
}

/**
 * True when `version` can stand in for `wanted`: it is not lower, and within `^wanted`, prereleases included.
 * @throws InvalidVersionError `INVALID_VERSION`
 *
 * @example
 * compatible('1.5.0', '1.2.0'); // true
 * compatible('0.3.0', '0.2.0'); // false: below 1.0.0 every minor version may break
 */
export function compatible(version: string | Version, wanted: string | Version): boolean {
  if (compare(version, wanted) < 0) return false;
  // Not by a range: semver has none for the highest number that a version may have.
  const [found, asked] = [numbersOf(version), numbersOf(wanted)];
  const leftmost = asked.findIndex((number) => number > 0);
  const fixed = leftmost === -1 ? asked : asked.slice(0, leftmost + 1);
  return fixed.every((number, position) => number === found[position]);
}

function numbersOf(version: string | Version): readonly number[] {
  const { major, minor, patch } = toSemVer(version);
  return [major, minor, patch];
}

/**
 * The version as the package below takes it, from a text or from a Version of whichever copy of this package.
 * Not exported to users: the types of semver are no dependency of theirs.
 */
export function toSemVer(version: string | { readonly raw: string }): SemVer {
  const text = textOf(version);
  // semver would take one of its own instances as well.
  if (typeof text !== 'string') throw new InvalidVersionError(text);
  try {
    return new SemVer(text);
  } catch (cause) {
    throw new InvalidVersionError(text, cause);
  }
}

function textOf(version: unknown): unknown {
  return typeof version === 'object' && version !== null && 'raw' in version ? version.raw : version;
}

/** Thrown for what should be a semantic version and is none. */
export class InvalidVersionError extends ToolwrightError<'INVALID_VERSION'> {
  /** The framework creates it. */
  constructor(value: unknown, cause?: unknown) {
    super('INVALID_VERSION', {
      where: describeValue(value),
      what: 'is not a semantic version.',
      why: 'a version is three numbers, a prerelease and a build, as in 1.2.3-beta.1+linux.',
      fix: 'write all three numbers, without leading zeros; one leading "v" is allowed',
      cause,
    });
    this.name = 'InvalidVersionError';
  }
}

/** Thrown for what should be a range of versions and is none. */
export class InvalidConstraintError extends ToolwrightError<'INVALID_CONSTRAINT'> {
  /** The framework creates it. */
  constructor(value: unknown, cause?: unknown) {
    super('INVALID_CONSTRAINT', {
      where: describeValue(value),
      what: 'is not a range of versions.',
      fix: 'write an npm range such as "^1.2.0", ">=1.0.0 <3.0.0" or "1.x || 3.x"; there are no commas',
      cause,
    });
    this.name = 'InvalidConstraintError';
  }
}

/** Thrown for an entry that could not be meant as it is written: ignoring it would let every version pass. */
export class InvalidMatrixError extends ToolwrightError<'INVALID_MATRIX'> {
  /** The framework creates it. */
  constructor(position: number, fault: Pick<ErrorFacts, 'what' | 'fix'>) {
    super('INVALID_MATRIX', { where: `entry ${String(position)} of the matrix`, ...fault });
    this.name = 'InvalidMatrixError';
  }
}

/** Thrown when a negotiation ends without a version. */
export class NoCompatibleVersionError extends ToolwrightError<'NO_COMPATIBLE_VERSION'> {
  /** The component that has no compatible version. */
  readonly component: string;

  /** The framework creates it. */
  constructor(component: string, available: readonly string[]) {
    const list = available.length === 0 ? 'nothing is available' : `available: ${available.join(', ')}`;
    super('NO_COMPATIBLE_VERSION', {
      where: component,
      what: `has no compatible version (${list}).`,
      fix: `offer a version that the entries of ${component} accept, or widen them`,
    });
    this.name = 'NoCompatibleVersionError';
    this.component = component;
  }
}
