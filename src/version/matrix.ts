import {
  checkOptions,
  filledText,
  required,
  sayFault,
  text,
  trueOrFalse,
  type OptionRules,
} from '../shared/option-rules.ts';
import { check, refuseCheckOptions, type CheckOptions, parseConstraint } from './constraint.ts';
import {
  InvalidMatrixError,
  compare,
  toSemVer,
  type Version,
  mustParse,
  NoCompatibleVersionError,
} from './version.ts';

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
  /** The entries, frozen, in the order they were given. */
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

/** What a matrix says about one component. Several entries may name the same one; all of them must hold. */
export interface MatrixEntry {
  /** The name of the component. */
  readonly component: string;
  /** Inclusive; plain precedence, so `2.0.0-beta` is above `1.0.0` and below `2.0.0`. */
  readonly minVersion?: string;
  /** Inclusive; plain precedence. */
  readonly maxVersion?: string;
  /** A range, as `parseConstraint` reads it. */
  readonly constraint?: string;
  /** The versions that pass are deprecated; `message` says what to do. */
  readonly deprecated?: boolean;
  /** What to tell users of a version that fails or is deprecated. */
  readonly message?: string;
}

const ENTRY_RULES: OptionRules<MatrixEntry> = {
  component: required(filledText),
  minVersion: text,
  maxVersion: text,
  constraint: text,
  deprecated: trueOrFalse,
  message: text,
};

/** A frozen copy of an entry whose versions and range can be read. */
function copyEntry(entry: MatrixEntry, position: number): MatrixEntry {
  const copy = { ...entry };
  const [fault] = checkOptions(copy, ENTRY_RULES);
  if (fault !== undefined) throw new InvalidMatrixError(position, sayFault(fault, 'a matrix'));
  if (copy.minVersion !== undefined) mustParse(copy.minVersion);
  if (copy.maxVersion !== undefined) mustParse(copy.maxVersion);
  if (copy.constraint !== undefined) parseConstraint(copy.constraint);
  return Object.freeze(copy);
}

/** The answer of a matrix about one version of one component. */
export interface MatrixResult {
  /** Whether the version passes all entries of the component. */
  readonly compatible: boolean;
  /** Why not; `UNKNOWN_COMPONENT` comes with `compatible: true`. */
  readonly code?: 'UNKNOWN_COMPONENT' | 'BELOW_MINIMUM' | 'ABOVE_MAXIMUM' | 'CONSTRAINT_NOT_MET';
  /** Whether an entry that the version passes is deprecated. */
  readonly deprecated: boolean;
  /** For people: what failed, or what the deprecated entry says. */
  readonly message?: string;
}

/** What a negotiation asks; a `Matrix` is one. */
export interface VersionJudge {
  /** Whether a version of a component passes. */
  check(component: string, version: string | Version, options?: CheckOptions): MatrixResult;
  /** Whether it names a prerelease of the same major, minor and patch; then a prerelease is as good as asked for. */
  namesPrerelease?(component: string, version: string | Version): boolean;
}

/** The version that was chosen, in the form in which it was offered. */
export interface Negotiated<Offered extends string | Version = string> {
  /** The version that was chosen, in the form in which it was offered. */
  readonly version: Offered;
  /** Whether the chosen version is deprecated. */
  readonly deprecated: boolean;
  /** The message of the deprecated entry. */
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
