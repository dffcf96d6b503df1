import { compare } from './compare.ts';
import { toSemVer } from './to-sem-ver.ts';
import type { Version } from './version.ts';

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
