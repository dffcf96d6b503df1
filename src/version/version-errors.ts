import { ToolwrightError } from '../errors/toolwright-error.ts';
import { describeValue } from '../shared/describe-value.ts';

/** Thrown for what should be a semantic version and is none. */
export class InvalidVersionError extends ToolwrightError<'INVALID_VERSION'> {
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
  constructor(position: number, what: string, fix: string) {
    super('INVALID_MATRIX', { where: `entry ${String(position)} of the matrix`, what, fix });
    this.name = 'InvalidMatrixError';
  }
}

/** Thrown when a negotiation ends without a version. */
export class NoCompatibleVersionError extends ToolwrightError<'NO_COMPATIBLE_VERSION'> {
  readonly component: string;

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
