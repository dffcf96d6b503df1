import Range from 'semver/classes/range.js';
import { refuseOptions } from '../errors/option-errors.ts';
import { trueOrFalse, type OptionRules } from '../shared/option-rules.ts';
import { InvalidConstraintError, toSemVer, type Version } from './version.ts';

/** A range of versions, frozen; {@link parseConstraint} makes it. */
export class Constraint {
  /** The text as it was given. */
  readonly raw: string;
  readonly #normalised: string;

  private constructor(raw: string) {
    this.raw = raw;
    // npm prints the range of everything as "*" as well, not as nothing.
    this.#normalised = toRange(raw, false).range || '*';
    Object.freeze(this);
  }

  /** @internal Use {@link parseConstraint}. */
  static of(text: string): Constraint {
    return new Constraint(text);
  }

  /** The range as npm normalises it: `^1.2.0` gives `>=1.2.0 <2.0.0-0`. */
  toString(): string {
    return this.#normalised;
  }
}

/** How a range treats prereleases. */
export interface CheckOptions {
  /**
   * Whether a range takes every prerelease between its bounds; false by default. Otherwise a prerelease only
   * matches where the range itself names a prerelease of the same major, minor and patch.
   */
  readonly includePrerelease?: boolean;
}

export const CHECK_RULES: OptionRules<CheckOptions> = { includePrerelease: trueOrFalse };

/** @throws ToolwrightError `INVALID_OPTION` */
export function refuseCheckOptions(where: string, options: CheckOptions | undefined): void {
  if (options !== undefined) refuseOptions('INVALID_OPTION', where, options, CHECK_RULES);
}

/**
 * Reads an npm range: `=`, `>`, `>=`, `<`, `<=`, `^`, `~`, `1.x`, `1.0.0 - 2.0.0`; a space means and, `||` means
 * or. An empty text is any release.
 * @throws InvalidConstraintError `INVALID_CONSTRAINT`
 *
 * @example
 * String(parseConstraint('^1.2.0')); // '>=1.2.0 <2.0.0-0'
 */
export function parseConstraint(text: string): Constraint {
  return Constraint.of(text);
}

/**
 * True when the version is in the range.
 * @throws InvalidConstraintError `INVALID_CONSTRAINT`
 * @throws InvalidVersionError `INVALID_VERSION`
 * @throws ToolwrightError `INVALID_OPTION`
 *
 * @example
 * check('^1.0.0', '1.5.0'); // true
 * check('^1.0.0', '1.5.0-beta'); // false
 * check('^1.0.0', '1.5.0-beta', { includePrerelease: true }); // true
 */
export function check(
  constraint: string | Constraint,
  version: string | Version,
  options?: CheckOptions,
): boolean {
  refuseCheckOptions('check()', options);
  return toRange(textOf(constraint), options?.includePrerelease ?? false).test(toSemVer(version));
}

function toRange(text: unknown, includePrerelease: boolean): Range {
  // semver would take one of its own instances as well.
  if (typeof text !== 'string') throw new InvalidConstraintError(text);
  try {
    return new Range(text, { includePrerelease });
  } catch (cause) {
    throw new InvalidConstraintError(text, cause);
  }
}

function textOf(constraint: unknown): unknown {
  return typeof constraint === 'object' && constraint !== null && 'raw' in constraint
    ? constraint.raw
    : constraint;
}
