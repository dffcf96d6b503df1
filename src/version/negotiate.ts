import { refuseCheckOptions, type CheckOptions } from './constraint.ts';
import { NoCompatibleVersionError } from './version-errors.ts';
import { compare, toSemVer, type Version } from './version.ts';

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
  /** Whether it names a prerelease of the same major, minor and patch; then a prerelease is as good as asked for. */
  namesPrerelease?(component: string, version: string | Version): boolean;
}

/** The version that was chosen, in the form in which it was offered. */
export interface Negotiated<Offered extends string | Version = string> {
  readonly version: Offered;
  readonly deprecated: boolean;
  readonly message?: string;
}

/**
 * The highest of the available versions that passes the matrix. Deprecated versions count; of equal ones the
 * first is taken. A prerelease is only taken with `includePrerelease`, or where the matrix names a prerelease of
 * the same major, minor and patch.
 * @throws NoCompatibleVersionError `NO_COMPATIBLE_VERSION` when none passes
 * @throws InvalidVersionError `INVALID_VERSION` when one of them is not a version
 * @throws ToolwrightError `INVALID_OPTION`
 *
 * @example
 * const matrix = new Matrix([{ component: 'api', minVersion: '1.0.0' }]);
 * negotiate(matrix, 'api', ['0.5.0', '1.5.0', '2.0.0']).version; // '2.0.0'
 */
export function negotiate<Offered extends string | Version>(
  matrix: VersionJudge,
  component: string,
  available: readonly Offered[],
  options?: CheckOptions,
): Negotiated<Offered> {
  refuseCheckOptions('negotiate()', options);
  let best: Negotiated<Offered> | undefined;
  for (const version of available) {
    const { compatible, deprecated, message } = matrix.check(component, version, options);
    if (!compatible || !isWanted(matrix, component, version, options)) continue;
    if (best !== undefined && compare(version, best.version) <= 0) continue;
    best = { version, deprecated, ...(deprecated && message !== undefined && { message }) };
  }
  if (best === undefined) {
    const offered = available.map((version) => toSemVer(version).version);
    throw new NoCompatibleVersionError(component, offered);
  }
  return Object.freeze(best);
}

function isWanted(
  matrix: VersionJudge,
  component: string,
  version: string | Version,
  { includePrerelease = false }: CheckOptions = {},
): boolean {
  if (includePrerelease || toSemVer(version).prerelease.length === 0) return true;
  return matrix.namesPrerelease?.(component, version) === true;
}
