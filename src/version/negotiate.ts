import { compare } from './compare.ts';
import type { CheckOptions } from './constraint.ts';
import { toSemVer } from './to-sem-ver.ts';
import type { Version } from './version.ts';
import { NoCompatibleVersionError } from './version-errors.ts';

/** The answer of a matrix about one version of one component. */
export interface MatrixResult {
  readonly compatible: boolean;
  /** Why not; `UNKNOWN_COMPONENT` comes with `compatible: true`. */
  readonly code?: 'UNKNOWN_COMPONENT' | 'BELOW_MINIMUM' | 'ABOVE_MAXIMUM' | 'CONSTRAINT_NOT_MET';
  readonly deprecated: boolean;
  /** For people: what failed, or what the deprecated entry says. */
  readonly message?: string;
}

/** What a negotiation asks; a `Matrix` is one. */
export interface VersionJudge {
  check(component: string, version: string | Version, options?: CheckOptions): MatrixResult;
}

/** The version that was chosen, in the form in which it was offered. */
export interface Negotiated<Offered extends string | Version = string> {
  readonly version: Offered;
  readonly deprecated: boolean;
  readonly message?: string;
}

/**
 * The highest of the available versions that passes the matrix. Deprecated versions count; of equal ones the
 * first is taken.
 * @throws NoCompatibleVersionError `NO_COMPATIBLE_VERSION` when none passes
 * @throws InvalidVersionError `INVALID_VERSION` when one of them is no version
 *
 * @example
 * const matrix = new Matrix([{ component: 'api', minVersion: '1.0.0' }]);
 * negotiate(matrix, 'api', ['0.5.0', '1.5.0', '2.0.0']).version; // '2.0.0'
 */
export function negotiate<Offered extends string | Version>(
  matrix: VersionJudge,
  component: string,
  available: readonly Offered[],
  options: CheckOptions = {},
): Negotiated<Offered> {
  let best: Negotiated<Offered> | undefined;
  for (const version of available) {
    const { compatible, deprecated, message } = matrix.check(component, version, options);
    if (!compatible || (best !== undefined && compare(version, best.version) <= 0)) continue;
    best = { version, deprecated, ...(deprecated && message !== undefined && { message }) };
  }
  if (best === undefined) {
    const offered = available.map((version) => toSemVer(version).version);
    throw new NoCompatibleVersionError(component, offered);
  }
  return Object.freeze(best);
}
