import SemVer from 'semver/classes/semver.js';
import { InvalidVersionError } from './version-errors.ts';

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
