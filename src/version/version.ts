import type SemVer from 'semver/classes/semver.js';
import { toSemVer } from './to-sem-ver.ts';
import { InvalidVersionError } from './version-errors.ts';

/** A semantic version, frozen; {@link parse} makes it. */
export class Version {
  readonly major: number;
  readonly minor: number;
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
