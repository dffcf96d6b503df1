import { toSemVer } from './to-sem-ver.ts';
import type { Version } from './version.ts';

/**
 * Orders two versions by precedence: -1, 0 or 1, as `sort` takes it. A release comes after its prereleases,
 * numbers in a prerelease count as numbers, and the build is ignored.
 * @throws InvalidVersionError `INVALID_VERSION` for a text that is no version
 *
 * @example
 * ['1.0.0', '1.0.0-alpha.10', '1.0.0-alpha.2'].sort(compare); // alpha.2, alpha.10, 1.0.0
 */
export function compare(left: string | Version, right: string | Version): -1 | 0 | 1 {
  return toSemVer(left).compare(toSemVer(right));
}

/** @throws InvalidVersionError `INVALID_VERSION` for a text that is no version */
export function lessThan(left: string | Version, right: string | Version): boolean {
  return compare(left, right) < 0;
}

/** @throws InvalidVersionError `INVALID_VERSION` for a text that is no version */
export function greaterThan(left: string | Version, right: string | Version): boolean {
  return compare(left, right) > 0;
}

/**
 * True for versions of equal precedence: `1.0.0`, `v1.0.0` and `1.0.0+linux` are equal.
 * @throws InvalidVersionError `INVALID_VERSION` for a text that is no version
 */
export function equal(left: string | Version, right: string | Version): boolean {
  return compare(left, right) === 0;
}
