export {
  compare,
  compatible,
  equal,
  greaterThan,
  lessThan,
  mustParse,
  parse,
  type Version,
} from './version.ts';
export { check, parseConstraint, type CheckOptions, type Constraint } from './constraint.ts';
export { Matrix, type MatrixEntry } from './matrix.ts';
export { negotiate, type MatrixResult, type Negotiated, type VersionJudge } from './negotiate.ts';
export {
  InvalidConstraintError,
  InvalidMatrixError,
  InvalidVersionError,
  NoCompatibleVersionError,
} from './version-errors.ts';
