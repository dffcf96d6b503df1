import { compare } from './compare.ts';
import { check, refuseCheckOptions, type CheckOptions } from './constraint.ts';
import { copyEntry, type MatrixEntry } from './matrix-entry.ts';
import { negotiate, type MatrixResult, type Negotiated } from './negotiate.ts';
import { toSemVer } from './to-sem-ver.ts';
import type { Version } from './version.ts';

/**
 * Which versions of which components go together with yours. It is frozen, and a copy of what it was made of.
 *
 * @example
 * const matrix = new Matrix([
 *   { component: 'api', minVersion: '1.0.0' },
 *   { component: 'api', maxVersion: '1.9.9', deprecated: true, message: 'move on to 2' },
 * ]);
 * matrix.check('api', '0.5.0').code; // 'BELOW_MINIMUM'
 * matrix.check('other', '0.5.0').compatible; // true
 */
export class Matrix {
  readonly entries: readonly MatrixEntry[];

  /**
   * @throws InvalidMatrixError `INVALID_MATRIX`, InvalidVersionError `INVALID_VERSION` or
   * InvalidConstraintError `INVALID_CONSTRAINT` for an entry that cannot be read
   */
  constructor(entries: readonly MatrixEntry[]) {
    this.entries = Object.freeze(entries.map(copyEntry));
    Object.freeze(this);
  }

  /**
   * Whether a version of a component passes all entries of that component. A component without entries passes.
   * The first entry that fails gives code and message; where all hold, the first deprecated one does.
   * @throws InvalidVersionError `INVALID_VERSION`
   */
  check(component: string, version: string | Version, options?: CheckOptions): MatrixResult {
    refuseCheckOptions('matrix.check()', options);
    const shown = toSemVer(version).version;
    const own = this.entries.filter((entry) => entry.component === component);
    if (own.length === 0) {
      const message = `${component} is not in the matrix`;
      return Object.freeze({ compatible: true, code: 'UNKNOWN_COMPONENT', deprecated: false, message });
    }
    for (const entry of own) {
      const failure = failureOf(entry, version, options);
      if (failure === undefined) continue;
      const [code, reason] = failure;
      const message = `${component} ${shown} ${reason}`;
      return Object.freeze({ compatible: false, code, deprecated: false, message });
    }
    const outdated = own.find(({ deprecated }) => deprecated === true);
    if (outdated === undefined) return Object.freeze({ compatible: true, deprecated: false });
    const { message } = outdated;
    return Object.freeze({ compatible: true, deprecated: true, ...(message !== undefined && { message }) });
  }

  /** Whether an entry of the component names a prerelease of the same major, minor and patch. */
  namesPrerelease(component: string, version: string | Version): boolean {
    return this.entries.some((entry) => entry.component === component && namesPrereleaseOf(entry, version));
  }

  /** The highest available version that passes; see {@link negotiate}. */
  negotiate<Offered extends string | Version>(
    component: string,
    available: readonly Offered[],
    options?: CheckOptions,
  ): Negotiated<Offered> {
    return negotiate(this, component, available, options);
  }
}

function namesPrereleaseOf(
  { minVersion, maxVersion, constraint }: MatrixEntry,
  version: string | Version,
): boolean {
  // Without being told to, a range takes a prerelease only where it names one of the same numbers
  if (constraint !== undefined && check(constraint, version)) return true;
  const { major, minor, patch } = toSemVer(version);
  return [minVersion, maxVersion].some((bound) => {
    if (bound === undefined) return false;
    const named = toSemVer(bound);
    const isSame = named.major === major && named.minor === minor && named.patch === patch;
    return isSame && named.prerelease.length > 0;
  });
}

type Failure = readonly [code: NonNullable<MatrixResult['code']>, reason: string];

function failureOf(
  { minVersion, maxVersion, constraint }: MatrixEntry,
  version: string | Version,
  options: CheckOptions | undefined,
): Failure | undefined {
  if (minVersion !== undefined && compare(version, minVersion) < 0) {
    return ['BELOW_MINIMUM', `is below the minimum ${minVersion}`];
  }
  if (maxVersion !== undefined && compare(version, maxVersion) > 0) {
    return ['ABOVE_MAXIMUM', `is above the maximum ${maxVersion}`];
  }
  if (constraint !== undefined && !check(constraint, version, options)) {
    return ['CONSTRAINT_NOT_MET', `does not meet the constraint ${constraint}`];
  }
  return undefined;
}
